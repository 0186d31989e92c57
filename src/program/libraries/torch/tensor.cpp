// What is asked of a tensor, and where, in which type and with which gradient it lives.

#include "base/format.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"

#include <algorithm>

namespace faultline::program {

namespace torch {

static Ref shape_of(Machine& machine, Call& call)
{
  return shape_tuple(machine, input_of(machine, call).shape);
}

static Ref size(Machine& machine, Call& call)
{
  const Shape& shape = input_of(machine, call).shape;
  const Ref dim = option(call, {"dim"});
  if (dim == nullptr || machine.is_none(dim)) {
    return shape_tuple(machine, shape);
  }
  const auto axis = machine.to_int(dim);
  if (axis) {
    if (const auto wrong = axis_out_of_range(shape, *axis, "size")) {
      checked(machine, call, *wrong, call.span);
    }
  }
  return machine.integer(axis ? shape.at(*axis) : Dim::top());
}

static Ref rank(Machine& machine, Call& call)
{
  const auto known = input_of(machine, call).shape.rank();
  return known ? machine.integer(static_cast<int64_t>(*known))
               : machine.number(Interval::of(0, Interval::k_inf), true);
}

static Ref count(Machine& machine, Call& call)
{
  return machine.integer(input_of(machine, call).shape.elements());
}

static Ref type_name(Machine& machine, Call& call)
{
  const DType dtype = input_of(machine, call).dtype;
  return dtype.is_unknown() ? machine.unknown() : machine.string(std::string(dtype.text()));
}

static Ref device_of(Machine& machine, Call& call)
{
  const Api* row = find_api("torch.device");
  if (row == nullptr) {
    return machine.unknown();
  }
  Instance* made = machine.instance(*row, nullptr);
  made->device = input_of(machine, call).device;
  return made;
}

static Ref truth_of(Machine& machine, Truth truth)
{
  return truth == Truth::unknown ? machine.truth() : machine.boolean(truth == Truth::yes);
}

static Ref requires_grad(Machine& machine, Call& call)
{
  return truth_of(machine, input_of(machine, call).requires_grad);
}

static Ref is_leaf(Machine& machine, Call& call)
{
  return truth_of(machine, input_of(machine, call).leaf);
}

static Ref is_contiguous(Machine& machine, Call& call)
{
  return truth_of(machine, input_of(machine, call).contiguous);
}

static Ref is_floating(Machine& machine, Call& call)
{
  const DType dtype = input_of(machine, call).dtype;
  return dtype.is_unknown() ? machine.truth() : machine.boolean(dtype.is_floating());
}

static Ref gradient(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Tensor* made = machine.data(Library::torch, input.shape, input.dtype, Interval::top());
  made->requires_grad = Truth::no;
  made->device = input.device;
  return made;
}

static Ref detach(Machine& machine, Call& call)
{
  Tensor* made = machine.like(call, input_of(machine, call));
  made->requires_grad = Truth::no;
  return made;
}

static Ref item(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Dim elements = input.shape.elements();
  if (elements.constant() && !elements.is(1)) {
    machine.problem(ProblemKind::index,
                    call.span,
                    format("`item` of a tensor of shape {}, which has more than one element",
                           input.shape.text()),
                    &call);
  }
  return machine.number(input.interval,
                        input.dtype.is_integer() || input.dtype == DType(DType::Kind::boolean));
}

static Ref to_list(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  if (input.shape.rank() == 0) {
    return machine.number(input.interval, input.dtype.is_integer());
  }
  if (input.shape.rank() == 1) {
    return machine.open_list(machine.number(input.interval, input.dtype.is_integer()));
  }
  return machine.unknown();
}

static Ref to_numpy(Machine& machine, Call& call)
{
  Tensor* made = machine.like(call, input_of(machine, call));
  made->library = Library::numpy;
  made->device = Device::cpu();
  made->requires_grad = Truth::no;
  return made;
}

static Tensor* converted(Machine& machine, Call& call, const Tensor& input, const Move& move)
{
  Tensor* made = machine.like(call, input);
  if (move.device) {
    made->device = *move.device;
  } else if (move.device_unknown) {
    made->device = Device::top();
  }
  if (move.dtype) {
    made->dtype = *move.dtype;
    if (made->dtype.is_integer() && input.dtype.is_floating()) {
      made->requires_grad = Truth::no;
      made->interval = input.interval.floor();
    }
  }
  return made;
}

static Ref to(Machine& machine, Call& call)
{
  return converted(machine, call, input_of(machine, call), read_move(machine, call));
}

static Ref to_cpu(Machine& machine, Call& call)
{
  return converted(machine, call, input_of(machine, call), {Device::cpu(), std::nullopt});
}

static Ref to_cuda(Machine& machine, Call& call)
{
  const auto index = int_option(machine, call, {"device"});
  return converted(
      machine,
      call,
      input_of(machine, call),
      {index ? Device::cuda(static_cast<int32_t>(*index)) : Device::cuda(), std::nullopt});
}

// float(), long() …: the name says the type.
static Ref to_type(Machine& machine, Call& call)
{
  const auto dtype = DType::named(format("torch.{}", short_name(call)));
  return converted(machine, call, input_of(machine, call), {std::nullopt, dtype.value_or(DType())});
}

static Ref to_char(Machine& machine, Call& call)
{
  const DType::Kind kind = short_name(call) == "byte" ? DType::Kind::uint8 : DType::Kind::int8;
  return converted(machine, call, input_of(machine, call), {std::nullopt, DType(kind)});
}

static Ref type(Machine& machine, Call& call)
{
  const Ref wanted = option(call, {"dtype"});
  if (wanted == nullptr || machine.is_none(wanted)) {
    return machine.text();
  }
  std::string_view name = path_of(wanted);
  if (const auto word = machine.to_string(wanted)) {
    name = *word;
  }
  Move move{std::nullopt, legacy_type(name)};
  if (!move.dtype) {
    move.dtype = machine.to_dtype(wanted).value_or(DType());
  }
  if (name.find(".cuda.") != std::string_view::npos) {
    move.device = Device::cuda();
  }
  return converted(machine, call, input_of(machine, call), move);
}

static Ref type_as(Machine& machine, Call& call)
{
  const Tensor& other = as_tensor(machine, operand_value(call, 1, "other"));
  return converted(machine, call, input_of(machine, call), {other.device, other.dtype});
}

static Ref set_requires_grad(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const bool wanted = machine.truthiness(option(call, {"requires_grad"})).value_or(true);
  if (wanted && input.dtype.is_integer()) {
    machine.problem(ProblemKind::integer_gradient,
                    call.span,
                    format("a tensor of type {} cannot require a gradient", input.dtype.text()),
                    &call);
  }
  Tensor* made = machine.like(call, input);
  made->requires_grad = wanted ? Truth::yes : Truth::no;
  made->leaf = input.leaf;
  return made;
}

// fill_, normal_ …: other values in the same tensor.
static Ref refill(Machine& machine, Call& call)
{
  Tensor* made = machine.like(call, input_of(machine, call));
  made->literal = nullptr;
  made->encoding = Encoding::unknown;
  const std::string_view name = short_name(call);
  if (name == "zero_") {
    made->interval = Interval::point(0);
  } else if (name == "fill_") {
    made->interval = machine.to_interval(operand_value(call, 1));
  } else if (name == "uniform_") {
    const auto low = machine.to_double(option(call, {"from"}));
    const auto high = machine.to_double(option(call, {"to"}));
    made->interval = low && high ? Interval::of(*low, *high) : Interval::top();
  } else if (name == "normal_") {
    const Interval spread = machine.to_interval(option(call, {"std"})).times(Interval::of(-6, 6));
    made->interval = machine.to_interval(option(call, {"mean"})).plus(spread);
  } else if (name == "copy_") {
    const Tensor& source = as_tensor(machine, operand_value(call, 1));
    made->interval = source.interval;
    made->encoding = source.encoding;
    const Combined both = combined(made->shape, source.shape);
    checked(machine, call, both.result, call.span);
  } else {
    made->interval = Interval::top();
  }
  return made;
}

static Ref shape_unknown(Machine& machine, Call& call)
{
  return moved(machine, call, input_of(machine, call), Shape::top());
}

} // namespace torch

std::span<const Api> torch_tensor()
{
  using namespace torch;
  constexpr Role f = Role::function;
  constexpr Role m = Role::method;
  constexpr Role a = Role::attribute;
  constexpr uint32_t k_same = k_elementwise | k_reshaping;
  constexpr uint32_t k_stop = k_same | k_no_gradient;
  constexpr uint32_t k_change = k_elementwise | k_in_place;
  static constexpr Api k_rows[] = {
      {"torch.Tensor.shape", "", a, {}, 0, shape_of},
      {"torch.Tensor.size", "dim=None", m, {}, 0, size},
      {"torch.Tensor.dim", "", m, {}, 0, rank},
      {"torch.Tensor.ndimension", "", m, {}, 0, rank},
      {"torch.Tensor.ndim", "", a, {}, 0, rank},
      {"torch.Tensor.numel", "", m, {}, 0, count},
      {"torch.Tensor.nelement", "", m, {}, 0, count},
      {"torch.numel", "input", f, {}, 0, count},
      {"torch.Tensor.dtype", "", a, {}, 0, type_name},
      {"torch.Tensor.device", "", a, {}, 0, device_of},
      {"torch.Tensor.requires_grad", "", a, {}, 0, requires_grad},
      {"torch.Tensor.is_leaf", "", a, {}, 0, is_leaf},
      {"torch.Tensor.is_cuda", "", a, {}, 0, answers::truth},
      {"torch.Tensor.is_sparse", "", a, {}, 0, answers::truth},
      {"torch.Tensor.grad", "", a, {}, 0, gradient},
      {"torch.Tensor.grad_fn", "", a},
      {"torch.Tensor.layout", "", a},
      {"torch.Tensor.names", "", a},
      {"torch.Tensor.itemsize", "", a},
      {"torch.Tensor.nbytes", "", a},
      {"torch.Tensor.real", "", a, {}, 0, shape_unknown},
      {"torch.Tensor.imag", "", a, {}, 0, shape_unknown},
      {"torch.Tensor.data", "", a, "detach", k_stop, detach},
      {"torch.Tensor.detach", "", m, "detach", k_stop, detach},
      {"torch.Tensor.detach_", "", m, "detach", k_stop | k_in_place, detach},
      {"torch.detach", "input", f, "detach", k_stop, detach},
      {"torch.Tensor.clone", "memory_format=None", m, "identity", k_same, keep},
      {"torch.clone", "input, memory_format=None", f, "identity", k_same, keep},
      {"torch.Tensor.item", "", m, "to_number", k_no_gradient, item},
      {"torch.Tensor.tolist", "", m, "to_number", k_no_gradient, to_list},
      {"torch.Tensor.numpy", "*, force=False", m, "to_numpy", k_no_gradient, to_numpy},
      {"torch.Tensor.__array__", "dtype=None", m, "to_numpy", k_no_gradient, to_numpy},
      {"torch.Tensor.cpu", "memory_format=None", m, "to_device", k_same, to_cpu},
      {"torch.Tensor.cuda", "device=None, non_blocking=False", m, "to_device", k_same, to_cuda},
      {"torch.Tensor.to",
       "*args, non_blocking=False, copy=False, memory_format=None, **kwargs",
       m,
       "to_device",
       k_same,
       to},
      {"torch.Tensor.float", "", m, "cast", k_same, to_type},
      {"torch.Tensor.double", "", m, "cast", k_same, to_type},
      {"torch.Tensor.half", "", m, "cast", k_same, to_type},
      {"torch.Tensor.bfloat16", "", m, "cast", k_same, to_type},
      {"torch.Tensor.int", "", m, "cast", k_stop, to_type},
      {"torch.Tensor.long", "", m, "cast", k_stop, to_type},
      {"torch.Tensor.short", "", m, "cast", k_stop, to_type},
      {"torch.Tensor.bool", "", m, "cast", k_stop, to_type},
      {"torch.Tensor.byte", "", m, "cast", k_stop, to_char},
      {"torch.Tensor.char", "", m, "cast", k_stop, to_char},
      {"torch.Tensor.cfloat", "", m, "cast", k_same, to_type},
      {"torch.Tensor.type", "dtype=None, non_blocking=False", m, "cast", k_same, type},
      {"torch.Tensor.type_as", "other", m, "cast", k_same, type_as},
      {"torch.Tensor.requires_grad_",
       "requires_grad=True",
       m,
       {},
       k_same | k_in_place,
       set_requires_grad},
      {"torch.Tensor.backward",
       "gradient=None, retain_graph=None, create_graph=False, inputs=None",
       m,
       "backward",
       0,
       nothing},
      {"torch.Tensor.retain_grad", "", m, {}, 0, nothing},
      {"torch.Tensor.register_hook", "hook", m},
      {"torch.Tensor.is_floating_point", "", m, {}, 0, is_floating},
      {"torch.is_floating_point", "input", f, {}, 0, is_floating},
      {"torch.Tensor.is_complex", "", m, {}, 0, answers::truth},
      {"torch.Tensor.is_contiguous", "memory_format=None", m, {}, 0, is_contiguous},
      {"torch.Tensor.is_shared", "", m, {}, 0, answers::truth},
      {"torch.Tensor.is_pinned", "", m, {}, 0, answers::truth},
      {"torch.Tensor.stride", "dim=None", m},
      {"torch.Tensor.storage", "", m},
      {"torch.Tensor.untyped_storage", "", m},
      {"torch.Tensor.storage_offset", "", m},
      {"torch.Tensor.data_ptr", "", m},
      {"torch.Tensor.element_size", "", m},
      {"torch.Tensor.get_device", "", m},
      {"torch.Tensor.share_memory_", "", m, {}, k_same, keep},
      {"torch.Tensor.pin_memory", "device=None", m, "identity", k_same, keep},
      {"torch.Tensor.zero_", "", m, {}, k_change, refill},
      {"torch.Tensor.fill_", "value", m, {}, k_change, refill},
      {"torch.Tensor.copy_", "src, non_blocking=False", m, {}, k_change, refill},
      {"torch.Tensor.normal_",
       "mean=0.0, std=1.0, *, generator=None",
       m,
       {},
       k_change | k_random,
       refill},
      {"torch.Tensor.uniform_",
       "from=0.0, to=1.0, *, generator=None",
       m,
       {},
       k_change | k_random,
       refill},
      {"torch.Tensor.random_",
       "from=0, to=None, *, generator=None",
       m,
       {},
       k_change | k_random,
       refill},
      {"torch.Tensor.bernoulli_", "p=0.5, *, generator=None", m, {}, k_change | k_random, refill},
      {"torch.Tensor.exponential_",
       "lambd=1.0, *, generator=None",
       m,
       {},
       k_change | k_random,
       refill},
      {"torch.Tensor.log_normal_",
       "mean=1.0, std=2.0, *, generator=None",
       m,
       {},
       k_change | k_random,
       refill},
      {"torch.Tensor.cauchy_",
       "median=0.0, sigma=1.0, *, generator=None",
       m,
       {},
       k_change | k_random,
       refill},
      {"torch.Tensor.fill_diagonal_", "fill_value, wrap=False", m, {}, k_change, refill},
      {"torch.Tensor.set_", "source=None", m, {}, k_change, shape_unknown},
      {"torch.Tensor.apply_", "callable", m, {}, k_change, refill},
      {"torch.Tensor.map_", "tensor, callable", m, {}, k_change, refill},
      {"torch.Tensor.equal", "other", m, {}, k_no_gradient, answers::truth},
      {"torch.equal", "input, other", f, {}, k_no_gradient, answers::truth},
      {"torch.Tensor.allclose",
       "other, rtol=1e-05, atol=1e-08, equal_nan=False",
       m,
       {},
       k_no_gradient,
       answers::truth},
      {"torch.allclose",
       "input, other, rtol=1e-05, atol=1e-08, equal_nan=False",
       f,
       {},
       k_no_gradient,
       answers::truth},
      {"torch.is_tensor", "obj", f, {}, 0, answers::truth},
      {"torch.is_complex", "input", f, {}, 0, answers::truth},
      {"torch.Tensor.to_dense", "", m, {}, k_same, keep},
      {"torch.Tensor.to_sparse", "sparse_dim=None", m, {}, k_same, keep},
      {"torch.Tensor.coalesce", "", m, {}, k_same, keep},
      {"torch.Tensor.indices", "", m},
      {"torch.Tensor.values", "", m},
      {"torch.Tensor._indices", "", m},
      {"torch.Tensor._values", "", m},
      {"torch.Tensor._version", "", a},
      {"torch.Tensor.__len__", "", m},
  };
  return k_rows;
}

} // namespace faultline::program
