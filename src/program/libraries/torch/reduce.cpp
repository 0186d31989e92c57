// Sums, means, maxima: fewer numbers out of many.

#include "base/format.hpp"
#include "program/libraries/shared/operators.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"
#include "program/operations/relations.hpp"

namespace faultline::program {

namespace torch {

namespace {

// Which axes a reduction removes. Not known: their number is not either.
struct Reduced {
  bool known = true;
  std::optional<std::vector<int64_t>> axes; // nothing: all
  bool keep = false;
};

Reduced read_axes(Machine& machine, const Call& call)
{
  Reduced reduced;
  const Ref keep = option(call, {"keepdim", "keepdims"});
  reduced.keep = machine.truthiness(keep).value_or(false);
  const Ref dim = option(call, {"dim", "axis"});
  if (dim == nullptr || machine.is_none(dim)) {
    return reduced;
  }
  if (const auto one = machine.to_int(dim)) {
    reduced.axes = std::vector<int64_t>{*one};
    return reduced;
  }
  const auto* several = as<Sequence>(dim);
  reduced.known = several != nullptr && !several->open;
  if (reduced.known) {
    reduced.axes.emplace();
    for (const Ref item : several->items) {
      const auto axis = machine.to_int(item);
      reduced.known = reduced.known && axis.has_value();
      reduced.axes->push_back(axis.value_or(0));
    }
  }
  return reduced;
}

Dim count_of(const Shape& shape, const Reduced& reduced)
{
  if (!reduced.known || !shape.has_rank()) {
    return Dim::top();
  }
  if (!reduced.axes) {
    return shape.elements();
  }
  Dim count = Dim::constant(1);
  for (const int64_t axis : *reduced.axes) {
    count = count.times(shape.at(axis));
  }
  return count;
}

Shape shape_after(Machine& machine, Call& call, const Tensor& input, const Reduced& reduced)
{
  if (reduced.known) {
    return checked(
        machine, call, program::reduced(input.shape, reduced.axes, reduced.keep), call.span);
  }
  // One axis less, whichever it is.
  if (input.shape.has_rank() && *input.shape.rank() > 0) {
    return Shape::of_rank(*input.shape.rank() - (reduced.keep ? 0 : 1));
  }
  return Shape::top();
}

Interval interval_of(Call& call, const Tensor& input, const Dim& count)
{
  const Interval plain = interval_reduced(call.op(), input.interval, count);
  if (call.is("reduce_sum") && is_shifted_exponential(&input)) {
    return plain.clipped(1, std::nullopt);
  }
  return plain;
}

DType type_of(const Call& call, DType input)
{
  if (call.is("argmax") || call.is("argmin")) {
    return DType::Kind::int64;
  }
  if (call.is("reduce_any") || call.is("reduce_all")) {
    return DType::Kind::boolean;
  }
  const bool adds = call.is("reduce_sum") || call.is("reduce_prod") || call.is("cumsum");
  if (adds && (input.is_integer() || input == DType(DType::Kind::boolean))) {
    return DType::Kind::int64;
  }
  return input;
}

} // namespace

static Tensor* reduce_to(Machine& machine, Call& call, const Tensor& input, const Reduced& reduced)
{
  const Dim count = count_of(input.shape, reduced);
  Tensor* made = result(machine,
                        call,
                        input,
                        shape_after(machine, call, input, reduced),
                        interval_of(call, input, count));
  made->dtype = type_of(call, input.dtype);
  if (const auto dtype = machine.to_dtype(option(call, {"dtype"}))) {
    made->dtype = *dtype;
  }
  if (call.is("argmax") || call.is("argmin")) {
    made->encoding = Encoding::class_index;
    made->classes = count.constant().value_or(0);
  }
  return made;
}

static Ref reduce(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  return reduce_to(machine, call, input, read_axes(machine, call));
}

// torch.max(x), torch.max(x, dim) with places, torch.max(x, y) element by element.
static Ref extremum(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Ref second = option(call, {"dim", "axis", "other"});
  if (as<Tensor>(second) != nullptr) {
    return binary_operation(machine,
                            call,
                            call.is("reduce_max") ? "maximum" : "minimum",
                            operand_value(call, 0, "input"),
                            second);
  }
  const Reduced reduced = read_axes(machine, call);
  Tensor* values = reduce_to(machine, call, input, reduced);
  if (second == nullptr || machine.is_none(second)) {
    return values;
  }
  Tensor* places = result(machine, call, input, values->shape);
  places->dtype = DType::Kind::int64;
  places->requires_grad = Truth::no;
  const bool is_class = call.is("reduce_max");
  const auto size = count_of(input.shape, reduced).constant();
  if (size && *size > 0) {
    places->interval = Interval::of(0, static_cast<double>(*size - 1));
  }
  if (is_class) {
    places->encoding = Encoding::class_index;
    places->classes = size.value_or(0);
  }
  return machine.tuple({values, places});
}

static Ref two_reductions(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Reduced reduced = read_axes(machine, call);
  Tensor* first = reduce_to(machine, call, input, reduced);
  Tensor* second = result(machine, call, input, first->shape, input.interval);
  return machine.tuple({first, second});
}

static Ref accumulate(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto axis = int_option(machine, call, {"dim", "axis"});
  if (axis) {
    if (const auto wrong = axis_out_of_range(input.shape, *axis, short_name(call))) {
      checked(machine, call, *wrong, call.span);
    }
  }
  const Dim count = axis ? input.shape.at(*axis) : Dim::top();
  Tensor* made =
      result(machine, call, input, input.shape, interval_reduced(call.op(), input.interval, count));
  made->dtype = type_of(call, input.dtype);
  return made;
}

Ref normalise(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  return result(machine, call, input, input.shape, Interval::of(-1, 1));
}

// cumulative maxima, medians: values and places.
static Ref with_places(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Ref dim = option(call, {"dim"});
  Reduced reduced = read_axes(machine, call);
  Tensor* values = reduce_to(machine, call, input, reduced);
  values->interval = input.interval;
  if (dim == nullptr || machine.is_none(dim)) {
    return values;
  }
  Tensor* places = result(machine, call, input, values->shape);
  places->dtype = DType::Kind::int64;
  places->requires_grad = Truth::no;
  return machine.tuple({values, places});
}

} // namespace torch

std::span<const Api> torch_reduce()
{
  using namespace torch;
  constexpr Role f = Role::function;
  constexpr Role m = Role::method;
  constexpr uint32_t k_fewer = k_reduction;
  constexpr uint32_t k_stop = k_reduction | k_no_gradient;
  static constexpr Api k_rows[] = {
      {"torch.sum",
       "input, dim=None, keepdim=False, *, dtype=None",
       f,
       "reduce_sum",
       k_fewer,
       reduce},
      {"torch.Tensor.sum", "dim=None, keepdim=False, dtype=None", m, "reduce_sum", k_fewer, reduce},
      {"torch.nansum", "input, dim=None, keepdim=False", f, "reduce_sum", k_fewer, reduce},
      {"torch.Tensor.nansum", "dim=None, keepdim=False", m, "reduce_sum", k_fewer, reduce},
      {"torch.mean",
       "input, dim=None, keepdim=False, *, dtype=None",
       f,
       "reduce_mean",
       k_fewer,
       reduce},
      {"torch.Tensor.mean",
       "dim=None, keepdim=False, dtype=None",
       m,
       "reduce_mean",
       k_fewer,
       reduce},
      {"torch.nanmean", "input, dim=None, keepdim=False", f, "reduce_mean", k_fewer, reduce},
      {"torch.Tensor.nanmean", "dim=None, keepdim=False", m, "reduce_mean", k_fewer, reduce},
      {"torch.prod", "input, dim=None, keepdim=False", f, "reduce_prod", k_fewer, reduce},
      {"torch.Tensor.prod", "dim=None, keepdim=False", m, "reduce_prod", k_fewer, reduce},
      {"torch.max", "input, dim=None, keepdim=False", f, "reduce_max", k_fewer, extremum},
      {"torch.Tensor.max", "dim=None, keepdim=False", m, "reduce_max", k_fewer, extremum},
      {"torch.min", "input, dim=None, keepdim=False", f, "reduce_min", k_fewer, extremum},
      {"torch.Tensor.min", "dim=None, keepdim=False", m, "reduce_min", k_fewer, extremum},
      {"torch.amax", "input, dim=None, keepdim=False", f, "reduce_max", k_fewer, reduce},
      {"torch.Tensor.amax", "dim=None, keepdim=False", m, "reduce_max", k_fewer, reduce},
      {"torch.amin", "input, dim=None, keepdim=False", f, "reduce_min", k_fewer, reduce},
      {"torch.Tensor.amin", "dim=None, keepdim=False", m, "reduce_min", k_fewer, reduce},
      {"torch.aminmax",
       "input, *, dim=None, keepdim=False",
       f,
       "reduce_min",
       k_fewer,
       two_reductions},
      {"torch.std",
       "input, dim=None, unbiased=True, keepdim=False",
       f,
       "reduce_std",
       k_fewer,
       reduce},
      {"torch.Tensor.std",
       "dim=None, unbiased=True, keepdim=False",
       m,
       "reduce_std",
       k_fewer,
       reduce},
      {"torch.var",
       "input, dim=None, unbiased=True, keepdim=False",
       f,
       "reduce_var",
       k_fewer,
       reduce},
      {"torch.Tensor.var",
       "dim=None, unbiased=True, keepdim=False",
       m,
       "reduce_var",
       k_fewer,
       reduce},
      {"torch.std_mean",
       "input, dim=None, unbiased=True, keepdim=False",
       f,
       "reduce_std",
       k_fewer,
       two_reductions},
      {"torch.var_mean",
       "input, dim=None, unbiased=True, keepdim=False",
       f,
       "reduce_var",
       k_fewer,
       two_reductions},
      {"torch.logsumexp", "input, dim, keepdim=False", f, "logsumexp", k_fewer, reduce},
      {"torch.Tensor.logsumexp", "dim, keepdim=False", m, "logsumexp", k_fewer, reduce},
      {"torch.norm",
       "input, p='fro', dim=None, keepdim=False, dtype=None",
       f,
       "norm",
       k_fewer,
       reduce},
      {"torch.Tensor.norm",
       "p='fro', dim=None, keepdim=False, dtype=None",
       m,
       "norm",
       k_fewer,
       reduce},
      {"torch.linalg.norm", "input, ord=None, dim=None, keepdim=False", f, "norm", k_fewer, reduce},
      {"torch.linalg.vector_norm",
       "input, ord=2, dim=None, keepdim=False",
       f,
       "norm",
       k_fewer,
       reduce},
      {"torch.linalg.matrix_norm",
       "input, ord='fro', dim=(-2, -1), keepdim=False",
       f,
       "norm",
       k_fewer,
       reduce},
      {"torch.dist", "input, other, p=2", f, "norm", k_fewer},
      {"torch.all", "input, dim=None, keepdim=False", f, "reduce_all", k_stop, reduce},
      {"torch.Tensor.all", "dim=None, keepdim=False", m, "reduce_all", k_stop, reduce},
      {"torch.any", "input, dim=None, keepdim=False", f, "reduce_any", k_stop, reduce},
      {"torch.Tensor.any", "dim=None, keepdim=False", m, "reduce_any", k_stop, reduce},
      {"torch.argmax", "input, dim=None, keepdim=False", f, "argmax", k_stop, reduce},
      {"torch.Tensor.argmax", "dim=None, keepdim=False", m, "argmax", k_stop, reduce},
      {"torch.argmin", "input, dim=None, keepdim=False", f, "argmin", k_stop, reduce},
      {"torch.Tensor.argmin", "dim=None, keepdim=False", m, "argmin", k_stop, reduce},
      {"torch.count_nonzero", "input, dim=None", f, {}, k_stop, reduce},
      {"torch.Tensor.count_nonzero", "dim=None", m, {}, k_stop, reduce},
      {"torch.median", "input, dim=None, keepdim=False", f, {}, k_fewer, with_places},
      {"torch.Tensor.median", "dim=None, keepdim=False", m, {}, k_fewer, with_places},
      {"torch.nanmedian", "input, dim=None, keepdim=False", f, {}, k_fewer, with_places},
      {"torch.mode", "input, dim=-1, keepdim=False", f, {}, k_fewer, with_places},
      {"torch.Tensor.mode", "dim=-1, keepdim=False", m, {}, k_fewer, with_places},
      {"torch.kthvalue", "input, k, dim=-1, keepdim=False", f, {}, k_fewer, with_places},
      {"torch.Tensor.kthvalue", "k, dim=-1, keepdim=False", m, {}, k_fewer, with_places},
      {"torch.quantile", "input, q, dim=None, keepdim=False", f, {}, k_fewer},
      {"torch.Tensor.quantile", "q, dim=None, keepdim=False", m, {}, k_fewer},
      {"torch.cumsum", "input, dim", f, "cumsum", 0, accumulate},
      {"torch.Tensor.cumsum", "dim", m, "cumsum", 0, accumulate},
      {"torch.cumprod", "input, dim", f, "cumprod", 0, accumulate},
      {"torch.Tensor.cumprod", "dim", m, "cumprod", 0, accumulate},
      {"torch.logcumsumexp", "input, dim", f, {}, 0, accumulate},
      {"torch.diff", "input, n=1, dim=-1", f, {}},
      {"torch.trace", "input", f, {}, k_fewer, reduce},
      {"torch.Tensor.trace", "", m, {}, k_fewer, reduce},
      {"torch.nn.functional.normalize",
       "input, p=2.0, dim=1, eps=1e-12, out=None",
       f,
       "l2_normalize",
       k_elementwise,
       normalise},
      {"torch.renorm", "input, p, dim, maxnorm", f, {}, k_elementwise, keep},
  };
  return k_rows;
}

} // namespace faultline::program
