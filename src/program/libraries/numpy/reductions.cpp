// NumPy: many numbers into few. Functions and methods share these.

#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"

#include <cmath>

namespace faultline::program {

static constexpr DType k_int64 = DType::Kind::int64;
static constexpr DType k_bool = DType::Kind::boolean;

static DType reduced_dtype(std::string_view op, DType dtype)
{
  if (op == "argmax" || op == "argmin") {
    return k_int64;
  }
  if (op == "reduce_any" || op == "reduce_all") {
    return k_bool;
  }
  if (op == "reduce_mean" || op == "reduce_std" || op == "reduce_var" || op == "norm") {
    return as_floating(dtype);
  }
  if (op == "reduce_sum" || op == "reduce_prod" || op == "cumsum") {
    // Small integers are summed as machine words.
    return dtype.is_integer() || dtype == k_bool ? k_int64 : dtype;
  }
  return dtype;
}

// How many elements each result is made of.
static Dim count_of(const Shape& shape, const Axes& axes)
{
  if (!axes.known || !shape.has_rank()) {
    return Dim::top();
  }
  if (!axes.list) {
    return shape.elements();
  }
  Dim count = Dim::constant(1);
  for (const int64_t axis : *axes.list) {
    count = count.times(shape.at(axis));
  }
  return count;
}

// The exact result over a list of known numbers; products of sizes stay symbolic.
static Ref folded(Machine& m, const Call& call, Ref value)
{
  const auto* list = as<Sequence>(value);
  const bool whole = call.arg("axis") == nullptr || m.is_none(call.arg("axis"));
  if (list == nullptr || list->open || list->items.empty() || !whole) {
    return nullptr;
  }
  const std::string_view op = call.op();
  bool integral = true;
  bool known = true;
  Dim product = Dim::constant(1);
  double sum = 0;
  double times = 1;
  for (const Ref item : list->items) {
    if (!is_number(item)) {
      return nullptr;
    }
    integral = integral && is_integral(item);
    product = product.times(m.to_dim(item));
    const auto number = m.to_double(item);
    known = known && number.has_value();
    sum += number.value_or(0);
    times *= number.value_or(0);
  }
  if (op == "reduce_prod" && integral && !product.is_unknown()) {
    return m.integer(product);
  }
  if (!known || std::fabs(sum) > 9e15 || std::fabs(times) > 9e15) {
    return nullptr;
  }
  const auto result = [&](double number) -> Ref {
    return integral ? m.integer(static_cast<int64_t>(number)) : m.real(number);
  };
  if (op == "reduce_prod") {
    return result(times);
  }
  if (op == "reduce_sum") {
    return result(sum);
  }
  return op == "reduce_mean" ? m.real(sum / static_cast<double>(list->items.size())) : nullptr;
}

static Ref reduce(Machine& m, Call& call)
{
  const Ref value = call.self != nullptr ? call.self : take(m, call, "a");
  if (const Ref known = folded(m, call, value)) {
    return known;
  }
  const Tensor& input = subject(m, call);
  const std::string_view op = call.op();
  const Axes axes = axes_argument(m, call.arg("axis"));
  const Ref keep = call.arg("keepdims");
  const bool keeps = keep != nullptr && m.to_bool(keep) == true;
  Shape shape = Shape::top();
  if (axes.known) {
    shape = settle(m, call, reduced(input.shape, axes.list, keeps), span_of(call, "axis"));
  }
  const Interval interval = interval_reduced(op, input.interval, count_of(input.shape, axes));
  const DType dtype = dtype_argument(m, call.arg("dtype"), reduced_dtype(op, input.dtype));
  // The highest label of a known data set is known.
  const bool whole = axes.known && !axes.list;
  if (whole && input.encoding == Encoding::class_index && input.classes > 0 &&
      input.interval.is_known() && fits_integer(input.interval.high()) && op == "reduce_max") {
    return m.integer(static_cast<int64_t>(input.interval.high()));
  }
  Tensor* const made = array(m, call, shape, dtype, interval);
  if (op == "argmax" && axes.known && axes.list) {
    const Dim classes = input.shape.at(axes.list->front());
    made->encoding =
        input.encoding == Encoding::unknown ? Encoding::unknown : Encoding::class_index;
    made->classes = classes.constant().value_or(0);
    made->source = input.source;
  }
  return made;
}

static Ref median(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const Axes axes = axes_argument(m, call.arg("axis"));
  Shape shape = Shape::top();
  if (axes.known) {
    const bool keeps = m.to_bool(call.arg("keepdims")) == true;
    shape = settle(m, call, reduced(input.shape, axes.list, keeps), span_of(call, "axis"));
  }
  // Several quantiles stand in front.
  if (const Ref q = call.arg("q")) {
    const Shape asked = to_array(m, q).shape;
    shape = asked.plus(shape);
  }
  return array(m, call, shape, as_floating(input.dtype), input.interval);
}

static Ref average(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const Axes axes = axes_argument(m, call.arg("axis"));
  Tensor* const made = array(
      m,
      call,
      axes.known ? settle(m, call, reduced(input.shape, axes.list, false), span_of(call, "axis"))
                 : Shape::top(),
      as_floating(input.dtype),
      input.interval);
  if (m.to_bool(call.arg("returned")) == true) {
    return m.tuple({made, array(m, call, made->shape, made->dtype)});
  }
  return made;
}

static Ref cumulate(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const Axes axes = axes_argument(m, call.arg("axis"));
  const Shape shape = !axes.known ? Shape::top()
                      : axes.list ? input.shape
                                  : Shape::of({input.shape.elements()});
  return array(m,
               call,
               shape,
               reduced_dtype("cumsum", input.dtype),
               call.is("cumsum")
                   ? interval_reduced("cumsum", input.interval, count_of(input.shape, axes))
                   : Interval::top());
}

static Ref sorted(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const bool flat = m.is_none(call.arg("axis"));
  return rearranged(m, call, input, flat ? Shape::of({input.shape.elements()}) : input.shape);
}

static Ref sort_in_place(Machine& m, Call&)
{
  return m.none();
}

static Ref order(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const bool flat = m.is_none(call.arg("axis"));
  return array(m,
               call,
               flat ? Shape::of({input.shape.elements()}) : input.shape,
               k_int64,
               Interval::of(0, Interval::k_inf));
}

static Ref difference(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "a");
  const auto times = m.to_int(call.arg("n"));
  const auto axis = m.to_int(call.arg("axis"));
  Shape shape = Shape::top();
  if (times && axis) {
    shape = input.shape.with(*axis, input.shape.at(*axis).minus(Dim::constant(*times)));
  }
  return array(m, call, shape, input.dtype);
}

static Ref count_bins(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "x");
  const bool labels = input.encoding == Encoding::class_index && input.classes > 0 &&
                      call.given("minlength") == nullptr;
  return array(m,
               call,
               Shape::of({labels ? Dim::constant(input.classes) : m.fresh_symbol()}),
               k_int64,
               Interval::of(0, Interval::k_inf));
}

static Ref histogram(Machine& m, Call& call)
{
  const Dim bins = m.to_int(call.arg("bins")) ? m.to_dim(call.arg("bins")) : Dim::top();
  return m.tuple({array(m, call, Shape::of({bins}), {}, Interval::of(0, Interval::k_inf)),
                  array(m, call, Shape::of({bins.plus(Dim::constant(1))}), DType::Kind::float64)});
}

static Ref bins_of(Machine& m, Call& call)
{
  const Argument* const values = call.argument(call.argument("v") != nullptr ? "v" : "x");
  const Shape shape = values != nullptr ? to_array(m, values->value).shape : Shape::top();
  return array(m, call, shape, k_int64, Interval::of(0, Interval::k_inf));
}

static Ref along_axis(Machine& m, Call& call)
{
  return array(m, call, Shape::top());
}

static constexpr std::string_view k_all =
    "a, axis=None, dtype=None, out=None, keepdims=False, **kwargs";
static constexpr std::string_view k_plain = "a, axis=None, out=None, keepdims=False, **kwargs";
static constexpr std::string_view k_method =
    "axis=None, dtype=None, out=None, keepdims=False, **kwargs";
static constexpr std::string_view k_plain_method = "axis=None, out=None, keepdims=False, **kwargs";
static constexpr std::string_view k_quantile = "a, q, axis=None, out=None, overwrite_input=False, "
                                               "method='linear', keepdims=False, **kwargs";

static constexpr Api k_rows[] = {
    {"numpy.sum", k_all, Role::function, "reduce_sum", k_reduction, reduce},
    {"numpy.mean", k_all, Role::function, "reduce_mean", k_reduction, reduce},
    {"numpy.prod", k_all, Role::function, "reduce_prod", k_reduction, reduce},
    {"numpy.product", k_all, Role::function, "reduce_prod", k_reduction, reduce},
    {"numpy.std", k_all, Role::function, "reduce_std", k_reduction, reduce},
    {"numpy.var", k_all, Role::function, "reduce_var", k_reduction, reduce},
    {"numpy.max", k_plain, Role::function, "reduce_max", k_reduction, reduce},
    {"numpy.amax", k_plain, Role::function, "reduce_max", k_reduction, reduce},
    {"numpy.min", k_plain, Role::function, "reduce_min", k_reduction, reduce},
    {"numpy.amin", k_plain, Role::function, "reduce_min", k_reduction, reduce},
    {"numpy.any", k_plain, Role::function, "reduce_any", k_reduction, reduce},
    {"numpy.all", k_plain, Role::function, "reduce_all", k_reduction, reduce},
    {"numpy.argmax", k_plain, Role::function, "argmax", k_reduction | k_no_gradient, reduce},
    {"numpy.argmin", k_plain, Role::function, "argmin", k_reduction | k_no_gradient, reduce},
    {"numpy.ptp", k_plain, Role::function, {}, k_reduction, reduce},
    {"numpy.nansum", k_all, Role::function, "reduce_sum", k_reduction, reduce},
    {"numpy.nanmean", k_all, Role::function, "reduce_mean", k_reduction, reduce},
    {"numpy.nanstd", k_all, Role::function, "reduce_std", k_reduction, reduce},
    {"numpy.nanvar", k_all, Role::function, "reduce_var", k_reduction, reduce},
    {"numpy.nanmax", k_plain, Role::function, "reduce_max", k_reduction, reduce},
    {"numpy.nanmin", k_plain, Role::function, "reduce_min", k_reduction, reduce},
    {"numpy.nanargmax", k_plain, Role::function, "argmax", k_reduction | k_no_gradient, reduce},
    {"numpy.median",
     "a, axis=None, out=None, overwrite_input=False, keepdims=False",
     Role::function,
     {},
     k_reduction,
     median},
    {"numpy.nanmedian",
     "a, axis=None, out=None, overwrite_input=False, keepdims=False",
     Role::function,
     {},
     k_reduction,
     median},
    {"numpy.percentile", k_quantile, Role::function, {}, k_reduction, median},
    {"numpy.nanpercentile", k_quantile, Role::function, {}, k_reduction, median},
    {"numpy.quantile", k_quantile, Role::function, {}, k_reduction, median},
    {"numpy.average",
     "a, axis=None, weights=None, returned=False",
     Role::function,
     "reduce_mean",
     k_reduction,
     average},
    {"numpy.count_nonzero",
     "a, axis=None, **kwargs",
     Role::function,
     {},
     k_reduction,
     answers::count},
    {"numpy.cumsum", "a, axis=None, dtype=None, out=None", Role::function, "cumsum", 0, cumulate},
    {"numpy.cumprod", "a, axis=None, dtype=None, out=None", Role::function, {}, 0, cumulate},
    {"numpy.sort", "a, axis=-1, **kwargs", Role::function, "sort", 0, sorted},
    {"numpy.argsort", "a, axis=-1, **kwargs", Role::function, {}, k_no_gradient, order},
    {"numpy.argpartition", "a, kth, axis=-1, **kwargs", Role::function, {}, k_no_gradient, order},
    {"numpy.partition", "a, kth, axis=-1, **kwargs", Role::function, {}, 0, sorted},
    {"numpy.lexsort", "keys, axis=-1", Role::function},
    {"numpy.diff", "a, n=1, axis=-1, **kwargs", Role::function, {}, 0, difference},
    {"numpy.gradient", "f, *varargs, **kwargs", Role::function},
    {"numpy.bincount", "x, weights=None, minlength=0", Role::function, {}, 0, count_bins},
    {"numpy.histogram", "a, bins=10, range=None, **kwargs", Role::function, {}, 0, histogram},
    {"numpy.histogram2d", "x, y, bins=10, **kwargs", Role::function},
    {"numpy.digitize", "x, bins, right=False", Role::function, {}, 0, bins_of},
    {"numpy.searchsorted", "a, v, side='left', sorter=None", Role::function, {}, 0, bins_of},
    {"numpy.in1d", "x, test_elements, **kwargs", Role::function},
    {"numpy.isin", "x, test_elements, **kwargs", Role::function},
    {"numpy.apply_along_axis",
     "func1d, axis, arr, *args, **kwargs",
     Role::function,
     {},
     0,
     along_axis},
    {"numpy.setdiff1d", "ar1, ar2, assume_unique=False", Role::function},
    {"numpy.intersect1d", "ar1, ar2, **kwargs", Role::function},
    {"numpy.union1d", "ar1, ar2", Role::function},

    {"numpy.ndarray.sum", k_method, Role::method, "reduce_sum", k_reduction, reduce},
    {"numpy.ndarray.mean", k_method, Role::method, "reduce_mean", k_reduction, reduce},
    {"numpy.ndarray.prod", k_method, Role::method, "reduce_prod", k_reduction, reduce},
    {"numpy.ndarray.std", k_method, Role::method, "reduce_std", k_reduction, reduce},
    {"numpy.ndarray.var", k_method, Role::method, "reduce_var", k_reduction, reduce},
    {"numpy.ndarray.max", k_plain_method, Role::method, "reduce_max", k_reduction, reduce},
    {"numpy.ndarray.min", k_plain_method, Role::method, "reduce_min", k_reduction, reduce},
    {"numpy.ndarray.any", k_plain_method, Role::method, "reduce_any", k_reduction, reduce},
    {"numpy.ndarray.all", k_plain_method, Role::method, "reduce_all", k_reduction, reduce},
    {"numpy.ndarray.argmax",
     k_plain_method,
     Role::method,
     "argmax",
     k_reduction | k_no_gradient,
     reduce},
    {"numpy.ndarray.argmin",
     k_plain_method,
     Role::method,
     "argmin",
     k_reduction | k_no_gradient,
     reduce},
    {"numpy.ndarray.ptp", k_plain_method, Role::method, {}, k_reduction, reduce},
    {"numpy.ndarray.cumsum",
     "axis=None, dtype=None, out=None",
     Role::method,
     "cumsum",
     0,
     cumulate},
    {"numpy.ndarray.cumprod", "axis=None, dtype=None, out=None", Role::method, {}, 0, cumulate},
    {"numpy.ndarray.argsort", "axis=-1, **kwargs", Role::method, {}, k_no_gradient, order},
    {"numpy.ndarray.argpartition",
     "kth, axis=-1, **kwargs",
     Role::method,
     {},
     k_no_gradient,
     order},
    {"numpy.ndarray.sort", "axis=-1, **kwargs", Role::method, {}, k_in_place, sort_in_place},
    {"numpy.ndarray.partition",
     "kth, axis=-1, **kwargs",
     Role::method,
     {},
     k_in_place,
     sort_in_place},
    {"numpy.ndarray.searchsorted", "v, side='left', sorter=None", Role::method, {}, 0, bins_of},
};

std::span<const Api> numpy_reductions()
{
  return k_rows;
}

} // namespace faultline::program
