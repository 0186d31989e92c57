// NumPy: element-wise functions of one or two arrays. Python numbers stay numbers.

#include "base/format.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

static constexpr DType k_bool = DType::Kind::boolean;

// Text or ragged lists where numbers are wanted.
static void check_numeric(Machine& m, const Call& call, const Tensor& input, Span span)
{
  if (is_dtype(input, DType::Kind::string)) {
    m.problem(
        ProblemKind::object_dtype, span, format("`{}` gets an array of text", call.name), &call);
  }
}

static Ref as_number(Machine& m, const Interval& interval, bool integral)
{
  const auto value = interval.value();
  if (!value) {
    return m.number(interval, integral);
  }
  return integral && fits_integer(*value) ? m.integer(static_cast<int64_t>(*value))
                                          : m.real(*value);
}

enum class Gives { floating, same, truth };

static Ref unary(Machine& m, Call& call, Gives gives)
{
  const Ref value = take(m, call, "x");
  if (is_number(value)) {
    const Interval interval = interval_after(call.op(), m.to_interval(value));
    if (gives == Gives::truth) {
      return m.truth();
    }
    return as_number(m, interval, gives == Gives::same && is_integral(value));
  }
  const Tensor& input = operand(m, call, "x");
  check_numeric(m, call, input, span_of(call, "x"));
  const DType dtype = gives == Gives::truth      ? k_bool
                      : gives == Gives::floating ? as_floating(input.dtype)
                                                 : input.dtype;
  const Interval interval =
      gives == Gives::truth ? Interval::of(0, 1) : interval_after(call.op(), input.interval);
  Tensor* const made = array(m, call, input.shape, dtype, interval);
  made->library = input.library == Library::pandas ? Library::pandas : Library::numpy;
  made->source = gives == Gives::truth ? nullptr : input.source;
  if (gives == Gives::same) {
    made->interval = check_wrapping(m, call, dtype, interval);
  }
  return made;
}

static Ref real_function(Machine& m, Call& call)
{
  return unary(m, call, Gives::floating);
}
static Ref same_type(Machine& m, Call& call)
{
  return unary(m, call, Gives::same);
}
static Ref predicate(Machine& m, Call& call)
{
  return unary(m, call, Gives::truth);
}

static Ref round_to(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const Ref value = call.self != nullptr ? call.self : take(m, call, "a");
  const bool whole = m.to_int(call.arg("decimals")) == 0;
  const Interval interval = whole ? interval_after("round", input.interval) : input.interval;
  if (is_number(value)) {
    return whole ? as_number(m, interval, is_integral(value)) : m.number(interval);
  }
  Tensor* const made = array_like(m, call, input);
  made->interval = interval;
  return made;
}

static Ref clip(Machine& m, Call& call)
{
  const Ref value = call.self != nullptr ? call.self : take(m, call, "a");
  const Tensor& input = subject(m, call);
  // New names of the bounds; None leaves a side open.
  const auto bound = [&](std::string_view name, std::string_view new_name) {
    const Argument* const given = call.given(new_name);
    return given != nullptr ? given->value : call.arg(name);
  };
  const Ref low = bound("a_min", "min");
  const Ref high = bound("a_max", "max");
  const bool low_known = low == nullptr || m.is_none(low) || m.to_double(low);
  const bool high_known = high == nullptr || m.is_none(high) || m.to_double(high);
  Interval interval = Interval::top();
  if (low_known && high_known) {
    interval = input.interval.clipped(m.to_double(low), m.to_double(high));
  }
  if (is_number(value)) {
    return as_number(m, interval, is_integral(value));
  }
  Tensor* const made = array_like(m, call, input);
  made->interval = interval;
  return made;
}

static Ref binary(Machine& m, Call& call)
{
  const Ref x = take(m, call, "x1");
  const Ref y = take(m, call, "x2");
  const Interval interval = interval_after(call.op(), m.to_interval(x), m.to_interval(y));
  const bool divides = call.is("div");
  if (is_number(x) && is_number(y)) {
    return as_number(m, interval, !divides && is_integral(x) && is_integral(y));
  }
  const Tensor& a = operand(m, call, "x1");
  const Tensor& b = operand(m, call, "x2");
  check_numeric(m, call, a, span_of(call, "x1"));
  check_numeric(m, call, b, span_of(call, "x2"));
  const Shape shape = settle(m, call, combined(a.shape, b.shape).result, call.span);
  const bool lists = as<Tensor>(x) == nullptr || as<Tensor>(y) == nullptr;
  DType dtype = lists && !is_number(x) && !is_number(y) ? numpy_promoted(a.dtype, b.dtype)
                                                        : arithmetic_dtype(x, y);
  dtype = divides ? as_floating(dtype) : dtype;
  Tensor* const made =
      array(m, call, shape, dtype, divides ? interval : check_wrapping(m, call, dtype, interval));
  made->source = a.source != nullptr ? a.source : b.source;
  return made;
}

static Ref comparison(Machine& m, Call& call)
{
  const Tensor& a = operand(m, call, "x1");
  const Tensor& b = operand(m, call, "x2");
  const Shape shape = settle(m, call, combined(a.shape, b.shape).result, call.span);
  return array(m, call, shape, k_bool, Interval::of(0, 1));
}

static Ref degrees(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "x");
  const double factor = call.name.ends_with("deg2rad") || call.name.ends_with("radians")
                            ? 0.017453292519943295
                            : 57.29577951308232;
  const Interval interval = input.interval.times(Interval::point(factor));
  return is_number(call.arg("x")) ? as_number(m, interval, false)
                                  : array(m, call, input.shape, as_floating(input.dtype), interval);
}

static Ref interpolate(Machine& m, Call& call)
{
  const Tensor& x = operand(m, call, "x");
  return array(m, call, x.shape, DType::Kind::float64, operand(m, call, "fp").interval);
}

static Ref vectorized(Machine& m, Call& call)
{
  return object_of(m, "numpy.vectorize", call);
}

static Ref apply_vectorized(Machine& m, Call& call)
{
  const std::vector<Ref> given = positional(call);
  return given.empty() ? m.unknown() : array(m, call, to_array(m, given.front()).shape);
}

static constexpr std::string_view k_one = "x, out=None, where=True, dtype=None, **kwargs";
static constexpr std::string_view k_two = "x1, x2, out=None, where=True, dtype=None, **kwargs";

static constexpr Api k_rows[] = {
    {"numpy.exp", k_one, Role::function, "exp", k_elementwise, real_function},
    {"numpy.exp2", k_one, Role::function, {}, k_elementwise, real_function},
    {"numpy.expm1", k_one, Role::function, "expm1", k_elementwise, real_function},
    {"numpy.log", k_one, Role::function, "log", k_elementwise, real_function},
    {"numpy.log2", k_one, Role::function, "log2", k_elementwise, real_function},
    {"numpy.log10", k_one, Role::function, "log10", k_elementwise, real_function},
    {"numpy.log1p", k_one, Role::function, "log1p", k_elementwise, real_function},
    {"numpy.sqrt", k_one, Role::function, "sqrt", k_elementwise, real_function},
    {"numpy.cbrt", k_one, Role::function, {}, k_elementwise, real_function},
    {"numpy.sin", k_one, Role::function, "sin", k_elementwise, real_function},
    {"numpy.cos", k_one, Role::function, "cos", k_elementwise, real_function},
    {"numpy.tan", k_one, Role::function, {}, k_elementwise, real_function},
    {"numpy.arcsin", k_one, Role::function, "asin", k_elementwise, real_function},
    {"numpy.arccos", k_one, Role::function, "acos", k_elementwise, real_function},
    {"numpy.arctan", k_one, Role::function, {}, k_elementwise, real_function},
    {"numpy.sinh", k_one, Role::function, "sinh", k_elementwise, real_function},
    {"numpy.cosh", k_one, Role::function, "cosh", k_elementwise, real_function},
    {"numpy.tanh", k_one, Role::function, "tanh", k_elementwise, real_function},
    {"numpy.arctanh", k_one, Role::function, "atanh", k_elementwise, real_function},
    {"numpy.arccosh", k_one, Role::function, "acosh", k_elementwise, real_function},
    {"numpy.arcsinh", k_one, Role::function, {}, k_elementwise, real_function},
    {"numpy.sinc", k_one, Role::function, {}, k_elementwise, real_function},
    {"numpy.floor", k_one, Role::function, "floor", k_elementwise, real_function},
    {"numpy.ceil", k_one, Role::function, "ceil", k_elementwise, real_function},
    {"numpy.rint", k_one, Role::function, "round", k_elementwise, real_function},
    {"numpy.trunc", k_one, Role::function, {}, k_elementwise, real_function},
    {"numpy.fix", k_one, Role::function, {}, k_elementwise, real_function},
    {"numpy.reciprocal", k_one, Role::function, "reciprocal", k_elementwise, same_type},
    {"numpy.abs", k_one, Role::function, "abs", k_elementwise, same_type},
    {"numpy.absolute", k_one, Role::function, "abs", k_elementwise, same_type},
    {"numpy.fabs", k_one, Role::function, "abs", k_elementwise, real_function},
    {"numpy.square", k_one, Role::function, "square", k_elementwise, same_type},
    {"numpy.negative", k_one, Role::function, "neg", k_elementwise, same_type},
    {"numpy.positive", k_one, Role::function, "identity", k_elementwise, same_type},
    {"numpy.sign", k_one, Role::function, "sign", k_elementwise, same_type},
    {"numpy.conj", k_one, Role::function, "identity", k_elementwise, same_type},
    {"numpy.real", k_one, Role::function, {}, k_elementwise, same_type},
    {"numpy.imag", k_one, Role::function, {}, k_elementwise, same_type},
    {"numpy.angle", k_one, Role::function, {}, k_elementwise, real_function},
    {"numpy.nan_to_num",
     "x, copy=True, nan=0.0, posinf=None, neginf=None",
     Role::function,
     "identity",
     k_elementwise,
     same_type},
    {"numpy.isnan", k_one, Role::function, "is_nan", k_elementwise, predicate},
    {"numpy.isinf", k_one, Role::function, {}, k_elementwise, predicate},
    {"numpy.isfinite", k_one, Role::function, {}, k_elementwise, predicate},
    {"numpy.logical_not", k_one, Role::function, "logical_not", k_elementwise, predicate},
    {"numpy.invert", k_one, Role::function, {}, k_elementwise, same_type},
    {"numpy.deg2rad", "x", Role::function, {}, k_elementwise, degrees},
    {"numpy.radians", "x", Role::function, {}, k_elementwise, degrees},
    {"numpy.rad2deg", "x", Role::function, {}, k_elementwise, degrees},
    {"numpy.degrees", "x", Role::function, {}, k_elementwise, degrees},
    {"numpy.round", "a, decimals=0, out=None", Role::function, "round", k_elementwise, round_to},
    {"numpy.round_", "a, decimals=0, out=None", Role::function, "round", k_elementwise, round_to},
    {"numpy.around", "a, decimals=0, out=None", Role::function, "round", k_elementwise, round_to},
    {"numpy.ndarray.round", "decimals=0, out=None", Role::method, "round", k_elementwise, round_to},
    {"numpy.clip",
     "a, a_min=None, a_max=None, out=None, *, min=None, max=None",
     Role::function,
     "clip",
     k_elementwise,
     clip},
    {"numpy.ndarray.clip",
     "a_min=None, a_max=None, out=None, *, min=None, max=None",
     Role::method,
     "clip",
     k_elementwise,
     clip},

    {"numpy.add", k_two, Role::function, "add", 0, binary},
    {"numpy.subtract", k_two, Role::function, "sub", 0, binary},
    {"numpy.multiply", k_two, Role::function, "mul", 0, binary},
    {"numpy.divide", k_two, Role::function, "div", 0, binary},
    {"numpy.true_divide", k_two, Role::function, "div", 0, binary},
    {"numpy.floor_divide", k_two, Role::function, "floor_div", 0, binary},
    {"numpy.mod", k_two, Role::function, "mod", 0, binary},
    {"numpy.remainder", k_two, Role::function, "mod", 0, binary},
    {"numpy.fmod", k_two, Role::function, {}, 0, binary},
    {"numpy.power", k_two, Role::function, "pow", 0, binary},
    {"numpy.float_power", k_two, Role::function, "pow", 0, binary},
    {"numpy.maximum", k_two, Role::function, "maximum", 0, binary},
    {"numpy.minimum", k_two, Role::function, "minimum", 0, binary},
    {"numpy.fmax", k_two, Role::function, "maximum", 0, binary},
    {"numpy.fmin", k_two, Role::function, "minimum", 0, binary},
    {"numpy.arctan2", k_two, Role::function, {}, 0, binary},
    {"numpy.hypot", k_two, Role::function, {}, 0, binary},
    {"numpy.logaddexp", k_two, Role::function, {}, 0, binary},
    {"numpy.bitwise_and", k_two, Role::function, {}, 0, binary},
    {"numpy.bitwise_or", k_two, Role::function, {}, 0, binary},
    {"numpy.bitwise_xor", k_two, Role::function, {}, 0, binary},
    {"numpy.equal", k_two, Role::function, "equal", 0, comparison},
    {"numpy.not_equal", k_two, Role::function, "not_equal", 0, comparison},
    {"numpy.less", k_two, Role::function, "less", 0, comparison},
    {"numpy.less_equal", k_two, Role::function, "less_equal", 0, comparison},
    {"numpy.greater", k_two, Role::function, "greater", 0, comparison},
    {"numpy.greater_equal", k_two, Role::function, "greater_equal", 0, comparison},
    {"numpy.logical_and", k_two, Role::function, "logical_and", 0, comparison},
    {"numpy.logical_or", k_two, Role::function, "logical_or", 0, comparison},
    {"numpy.logical_xor", k_two, Role::function, {}, 0, comparison},
    {"numpy.isclose",
     "x1, x2, rtol=1e-05, atol=1e-08, equal_nan=False",
     Role::function,
     {},
     0,
     comparison},
    {"numpy.allclose",
     "a, b, rtol=1e-05, atol=1e-08, equal_nan=False",
     Role::function,
     {},
     0,
     answers::truth},
    {"numpy.array_equal", "a1, a2, equal_nan=False", Role::function, {}, 0, answers::truth},
    {"numpy.array_equiv", "a1, a2", Role::function, {}, 0, answers::truth},
    {"numpy.isscalar", "element", Role::function, {}, 0, answers::truth},
    {"numpy.iscomplexobj", "x", Role::function, {}, 0, answers::truth},
    {"numpy.interp",
     "x, xp, fp, left=None, right=None, period=None",
     Role::function,
     {},
     0,
     interpolate},
    {"numpy.vectorize", "pyfunc=None, **kwargs", Role::object, {}, 0, vectorized},
    {"numpy.vectorize.__call__", "*args, **kwargs", Role::method, {}, 0, apply_vectorized},
};

std::span<const Api> numpy_math()
{
  return k_rows;
}

} // namespace faultline::program
