// The same elements in another shape.

#include "base/format.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"

#include <algorithm>
#include <numeric>

namespace faultline::program {

namespace torch {

namespace {

// Where each axis of a permuted tensor was before; nothing if its strides are not known.
std::optional<std::vector<size_t>> axes_before(Machine& machine, const Tensor& tensor)
{
  const Call* call = tensor.producer;
  const auto rank = tensor.shape.rank();
  if (call == nullptr || !rank || !call->is("permute")) {
    return std::nullopt;
  }
  const Tensor* input = call->input(0);
  if (input == nullptr || input->contiguous == Truth::no) {
    return std::nullopt;
  }
  std::vector<size_t> order(*rank);
  std::iota(order.begin(), order.end(), size_t{0});
  const auto a = machine.to_int(call->arg("dim0"));
  const auto b = machine.to_int(call->arg("dim1"));
  if (a && b && tensor.shape.axis(*a) && tensor.shape.axis(*b)) {
    std::swap(order[*tensor.shape.axis(*a)], order[*tensor.shape.axis(*b)]);
    return order;
  }
  if (const auto dims = ints(machine, *call, "dims"); dims && dims->size() == *rank) {
    for (size_t i = 0; i < dims->size(); ++i) {
      const auto place = tensor.shape.axis((*dims)[i]);
      if (!place) {
        return std::nullopt;
      }
      order[i] = *place;
    }
    return order;
  }
  return std::nullopt;
}

// `view` can split axes, but merges only those that lie next to each other in memory.
bool merges_strangers(const Shape& from, const std::vector<size_t>& before, const Shape& to)
{
  size_t i = 0;
  for (size_t j = 0; j < to.dims().size() && i < from.dims().size(); ++j) {
    const Dim& wanted = to.dims()[j];
    Dim product = from.dims()[i];
    const size_t first = i++;
    if (product.compare(wanted) == Dim::Comparison::equal) {
      continue;
    }
    while (i < from.dims().size() && product.compare(wanted) != Dim::Comparison::equal) {
      product = product.times(from.dims()[i++]);
    }
    if (product.compare(wanted) != Dim::Comparison::equal) {
      return false; // splits an axis, or is not known well enough
    }
    for (size_t k = first; k + 1 < i; ++k) {
      if (!from.dims()[k].is(1) && !from.dims()[k + 1].is(1) && before[k] + 1 != before[k + 1]) {
        return true;
      }
    }
  }
  return false;
}

void check_contiguous(Machine& machine, Call& call, const Tensor& input, const Shape& to)
{
  if (input.contiguous != Truth::no || !to.has_rank()) {
    return;
  }
  const auto before = axes_before(machine, input);
  if (before && merges_strangers(input.shape, *before, to)) {
    machine
        .problem(ProblemKind::not_contiguous,
                 call.span,
                 format("`view` to {} merges axes of a permuted tensor of shape {}",
                        to.text(),
                        input.shape.text()),
                 &call)
        .help = "use `reshape`, or `contiguous()` before `view`";
  }
}

} // namespace

Ref reshape(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const bool is_view = short_name(call) == "view";
  if (is_view && call.surplus.size() == 1 && machine.to_dtype(call.surplus.front().value)) {
    return moved(machine, call, input, Shape::top());
  }
  const auto to = sizes(machine, call, "shape");
  if (!to) {
    return moved(machine, call, input, Shape::top());
  }
  const Shape shape = checked(machine, call, reshaped(input.shape, *to), call.span);
  Tensor* made = moved(machine, call, input, shape);
  made->contiguous = Truth::yes;
  if (is_view) {
    check_contiguous(machine, call, input, shape);
  }
  return made;
}

Ref flatten(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto first = int_option(machine, call, {"start_dim"});
  const auto last = int_option(machine, call, {"end_dim"});
  if (!first || !last) {
    return moved(machine, call, input, Shape::top());
  }
  Tensor* made = moved(machine,
                       call,
                       input,
                       checked(machine, call, flattened(input.shape, *first, *last), call.span));
  made->contiguous = Truth::yes;
  return made;
}

Ref unflatten(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto dim = int_option(machine, call, {"dim"});
  const auto into = machine.to_dims(option(call, {"unflattened_size", "sizes"}));
  if (!dim || !into || !input.shape.has_rank()) {
    return moved(machine, call, input, Shape::top());
  }
  if (const auto wrong = axis_out_of_range(input.shape, *dim, "unflatten")) {
    return moved(machine, call, input, checked(machine, call, *wrong, call.span));
  }
  const size_t place = *input.shape.axis(*dim);
  const Shape parts =
      checked(machine, call, reshaped(Shape::of({input.shape.dims()[place]}), *into), call.span);
  const auto& dims = input.shape.dims();
  const auto cut = dims.begin() + static_cast<std::ptrdiff_t>(place);
  return moved(machine,
               call,
               input,
               Shape::of({dims.begin(), cut}).plus(parts).plus(Shape::of({cut + 1, dims.end()})));
}

static Ref squeeze(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Ref dim = option(call, {"dim", "axis"});
  if (dim == nullptr || machine.is_none(dim)) {
    return moved(machine, call, input, squeezed(input.shape));
  }
  const auto axis = machine.to_int(dim);
  if (!axis) {
    return moved(machine, call, input, Shape::top());
  }
  const Shape shape = checked(machine, call, squeezed(input.shape, *axis), call.span);
  const Dim size = input.shape.at(*axis);
  if (size.constant() && !size.is(1)) {
    machine.problem(ProblemKind::squeeze,
                    call.span,
                    format("axis {} of {} has size {}: `squeeze` leaves it",
                           *axis,
                           input.shape.text(),
                           size.text()),
                    &call);
  }
  return moved(machine, call, input, shape);
}

static Ref unsqueeze(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto axis = int_option(machine, call, {"dim", "axis"});
  Tensor* made = moved(machine,
                       call,
                       input,
                       axis ? checked(machine, call, with_new_axis(input.shape, *axis), call.span)
                            : Shape::top());
  made->contiguous = input.contiguous;
  return made;
}

static Ref transpose(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto a = int_option(machine, call, {"dim0", "axis0"});
  const auto b = int_option(machine, call, {"dim1", "axis1"});
  Shape shape = input.shape.has_rank() ? Shape::of_rank(*input.shape.rank()) : Shape::top();
  if (a && b) {
    shape = checked(machine, call, transposed(input.shape, *a, *b), call.span);
  }
  Tensor* made = moved(machine, call, input, shape);
  made->contiguous = a && b && *a == *b ? input.contiguous : Truth::no;
  return made;
}

static Ref transpose_matrix(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  if (input.shape.has_rank() && *input.shape.rank() > 2 && short_name(call) != "T" &&
      short_name(call) != "mT" && short_name(call) != "adjoint") {
    check_rank(machine, call, input, {0, 1, 2});
    return moved(machine, call, input, Shape::top());
  }
  Shape shape = input.shape;
  if (input.shape.has_rank() && *input.shape.rank() >= 2) {
    std::vector<Dim> dims = input.shape.dims();
    if (short_name(call) == "T") {
      std::ranges::reverse(dims);
    } else {
      std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
    }
    shape = Shape::of(std::move(dims));
  }
  Tensor* made = moved(machine, call, input, shape);
  made->contiguous = Truth::unknown;
  return made;
}

static Ref permute(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto order = ints(machine, call, "dims");
  Shape shape = input.shape.has_rank() ? Shape::of_rank(*input.shape.rank()) : Shape::top();
  if (order) {
    shape = checked(machine, call, permuted(input.shape, *order), call.span);
  }
  Tensor* made = moved(machine, call, input, shape);
  made->contiguous = order && std::ranges::is_sorted(*order) ? input.contiguous : Truth::no;
  return made;
}

static Ref move_axis(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto from = int_option(machine, call, {"source"});
  const auto to = int_option(machine, call, {"destination"});
  return moved(machine,
               call,
               input,
               from && to
                   ? checked(machine, call, program::moved(input.shape, *from, *to), call.span)
                   : Shape::top());
}

static Ref contiguous(Machine& machine, Call& call)
{
  Tensor* made = machine.like(call, input_of(machine, call));
  made->contiguous = Truth::yes;
  return made;
}

static Ref view_as(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Shape& other = as_tensor(machine, operand_value(call, 1, "other")).shape;
  return moved(machine,
               call,
               input,
               other.has_rank()
                   ? checked(machine, call, reshaped(input.shape, other.dims()), call.span)
                   : Shape::top());
}

static Ref expand(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto to = sizes(machine, call, "size");
  Tensor* made =
      moved(machine,
            call,
            input,
            to ? checked(machine, call, expanded(input.shape, *to), call.span) : Shape::top());
  made->contiguous = Truth::unknown;
  return made;
}

static Ref expand_as(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Tensor& other = as_tensor(machine, operand_value(call, 1, "other"));
  return moved(machine,
               call,
               input,
               checked(machine, call, broadcast_to(input.shape, other.shape), call.span));
}

static Ref repeat(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto counts = sizes(machine, call, "dims");
  if (!counts) {
    return moved(machine, call, input, Shape::top());
  }
  if (short_name(call) == "repeat" && input.shape.has_rank() &&
      counts->size() < *input.shape.rank()) {
    machine.problem(ProblemKind::expand,
                    call.span,
                    format("`repeat` gets {} counts for a tensor of shape {}",
                           counts->size(),
                           input.shape.text()),
                    &call);
    return moved(machine, call, input, Shape::top());
  }
  Tensor* made = moved(machine, call, input, tiled(input.shape, *counts));
  made->contiguous = Truth::yes;
  return made;
}

static Ref repeat_interleave(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Ref dim = option(call, {"dim"});
  const Dim count = machine.to_dim(option(call, {"repeats"}));
  if (dim == nullptr || machine.is_none(dim)) {
    return moved(machine, call, input, Shape::of({input.shape.elements().times(count)}));
  }
  const auto axis = machine.to_int(dim);
  return moved(machine,
               call,
               input,
               axis ? input.shape.with(*axis, input.shape.at(*axis).times(count)) : Shape::top());
}

static Ref ravel(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Tensor* made = moved(machine, call, input, Shape::of({input.shape.elements()}));
  made->contiguous = Truth::yes;
  return made;
}

static Ref at_least(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Shape shape = input.shape;
  while (shape.has_rank() && *shape.rank() < static_cast<size_t>(call.api->number)) {
    shape = shape.inserted(0, Dim::constant(1));
  }
  return moved(machine, call, input, shape);
}

// A window that slides along one axis becomes a new last axis.
static Ref unfold_axis(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto axis = int_option(machine, call, {"dimension"});
  const auto size = int_option(machine, call, {"size"});
  const auto step = int_option(machine, call, {"step"});
  if (!axis || !size || !step || !input.shape.has_rank()) {
    return moved(machine, call, input, Shape::top());
  }
  const Dim windows = window_size(input.shape.at(*axis), {.kernel = *size, .stride = *step});
  return moved(
      machine,
      call,
      input,
      input.shape.with(*axis, windows).inserted(*input.shape.rank(), Dim::constant(*size)));
}

} // namespace torch

std::span<const Api> torch_shape()
{
  using namespace torch;
  constexpr Role f = Role::function;
  constexpr Role m = Role::method;
  constexpr uint32_t k_moves = k_reshaping;
  static constexpr Api k_rows[] = {
      {"torch.reshape", "input, shape", f, "reshape", k_moves, reshape},
      {"torch.Tensor.reshape", "*shape", m, "reshape", k_moves, reshape},
      {"torch.Tensor.view", "*shape", m, "reshape", k_moves, reshape},
      {"torch.Tensor.resize_", "*shape", m, {}, k_moves | k_in_place},
      {"torch.Tensor.view_as", "other", m, "reshape", k_moves, view_as},
      {"torch.Tensor.reshape_as", "other", m, "reshape", k_moves, view_as},
      {"torch.flatten", "input, start_dim=0, end_dim=-1", f, "flatten", k_moves, flatten},
      {"torch.Tensor.flatten", "start_dim=0, end_dim=-1", m, "flatten", k_moves, flatten},
      {"torch.nn.Flatten", "start_dim=1, end_dim=-1", Role::layer, "flatten", k_moves, flatten},
      {"torch.unflatten", "input, dim, sizes", f, "reshape", k_moves, unflatten},
      {"torch.Tensor.unflatten", "dim, sizes", m, "reshape", k_moves, unflatten},
      {"torch.nn.Unflatten", "dim, unflattened_size", Role::layer, "reshape", k_moves, unflatten},
      {"torch.ravel", "input", f, "flatten", k_moves, ravel},
      {"torch.Tensor.ravel", "", m, "flatten", k_moves, ravel},
      {"torch.squeeze", "input, dim=None", f, "squeeze", k_moves, squeeze},
      {"torch.Tensor.squeeze", "dim=None", m, "squeeze", k_moves, squeeze},
      {"torch.Tensor.squeeze_", "dim=None", m, "squeeze", k_moves | k_in_place, squeeze},
      {"torch.unsqueeze", "input, dim", f, "expand_dims", k_moves, unsqueeze},
      {"torch.Tensor.unsqueeze", "dim", m, "expand_dims", k_moves, unsqueeze},
      {"torch.Tensor.unsqueeze_", "dim", m, "expand_dims", k_moves | k_in_place, unsqueeze},
      {"torch.transpose", "input, dim0, dim1", f, "permute", k_moves, transpose},
      {"torch.swapaxes", "input, dim0, dim1", f, "permute", k_moves, transpose},
      {"torch.swapdims", "input, dim0, dim1", f, "permute", k_moves, transpose},
      {"torch.Tensor.transpose", "dim0, dim1", m, "permute", k_moves, transpose},
      {"torch.Tensor.transpose_", "dim0, dim1", m, "permute", k_moves | k_in_place, transpose},
      {"torch.Tensor.swapaxes", "dim0, dim1", m, "permute", k_moves, transpose},
      {"torch.Tensor.swapdims", "dim0, dim1", m, "permute", k_moves, transpose},
      {"torch.t", "input", f, "permute", k_moves, transpose_matrix},
      {"torch.adjoint", "input", f, "permute", k_moves, transpose_matrix},
      {"torch.Tensor.t", "", m, "permute", k_moves, transpose_matrix},
      {"torch.Tensor.t_", "", m, "permute", k_moves | k_in_place, transpose_matrix},
      {"torch.Tensor.T", "", Role::attribute, "permute", k_moves, transpose_matrix},
      {"torch.Tensor.mT", "", Role::attribute, "permute", k_moves, transpose_matrix},
      {"torch.Tensor.H", "", Role::attribute, "permute", k_moves, transpose_matrix},
      {"torch.permute", "input, dims", f, "permute", k_moves, permute},
      {"torch.Tensor.permute", "*dims", m, "permute", k_moves, permute},
      {"torch.movedim", "input, source, destination", f, "permute", k_moves, move_axis},
      {"torch.moveaxis", "input, source, destination", f, "permute", k_moves, move_axis},
      {"torch.Tensor.movedim", "source, destination", m, "permute", k_moves, move_axis},
      {"torch.Tensor.moveaxis", "source, destination", m, "permute", k_moves, move_axis},
      {"torch.Tensor.contiguous", "memory_format=None", m, "contiguous", k_moves, contiguous},
      {"torch.Tensor.expand", "*size", m, "expand", k_moves, expand},
      {"torch.broadcast_to", "input, size", f, "expand", k_moves, expand},
      {"torch.Tensor.broadcast_to", "*size", m, "expand", k_moves, expand},
      {"torch.Tensor.expand_as", "other", m, "expand", k_moves, expand_as},
      {"torch.Tensor.repeat", "*dims", m, "repeat", k_moves, repeat},
      {"torch.tile", "input, dims", f, "tile", k_moves, repeat},
      {"torch.Tensor.tile", "*dims", m, "tile", k_moves, repeat},
      {"torch.repeat_interleave",
       "input, repeats=None, dim=None",
       f,
       "repeat",
       k_moves,
       repeat_interleave},
      {"torch.Tensor.repeat_interleave",
       "repeats, dim=None",
       m,
       "repeat",
       k_moves,
       repeat_interleave},
      {"torch.atleast_1d", "input", f, "reshape", k_moves, at_least, {}, 1},
      {"torch.atleast_2d", "input", f, "reshape", k_moves, at_least, {}, 2},
      {"torch.atleast_3d", "input", f, "reshape", k_moves, at_least, {}, 3},
      {"torch.Tensor.unfold", "dimension, size, step", m, {}, k_moves, unfold_axis},
  };
  return k_rows;
}

} // namespace faultline::program
