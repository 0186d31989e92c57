#include "program/operations/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace faultline::program {

namespace {

constexpr double k_inf = Interval::k_inf;
constexpr double k_tiny = 1.2e-38;      // the smallest normal float32
constexpr double k_many_elements = 1e6; // how many a reduction over an unknown axis may sum

double to_float(double value)
{
  return std::abs(value) < k_tiny ? 0 : value;
}

// A function that grows with its argument, so that the ends of the interval map to the ends.
Interval monotone(const Interval& x, double (*f)(double))
{
  return x.is_known() ? Interval::of(to_float(f(x.low())), to_float(f(x.high()))) : x;
}

// The same, bounded whatever comes in.
Interval bounded(const Interval& x, double low, double high, double (*f)(double))
{
  return x.is_known() ? monotone(x, f) : x.is_bottom() ? x : Interval::of(low, high);
}

double sigmoid(double x)
{
  return x >= 17 ? 1 : 1 / (1 + std::exp(-x)); // float32 rounds to 1 from there on
}

double hyperbolic(double x)
{
  return std::abs(x) > 9 ? std::copysign(1, x) : std::tanh(x);
}

double softplus(double x)
{
  return x > 30 ? x : std::log1p(std::exp(x));
}

double elu(double x)
{
  return x > 0 ? x : std::expm1(x);
}

double selu(double x)
{
  constexpr double k_scale = 1.0507009873554805;
  constexpr double k_alpha = 1.6732632423543772;
  return k_scale * (x > 0 ? x : k_alpha * std::expm1(x));
}

double softsign(double x)
{
  return std::isinf(x) ? std::copysign(1, x) : x / (1 + std::abs(x));
}

double log_sigmoid(double x)
{
  return -softplus(-x);
}

// gelu and swish follow relu but dip below zero: lowest value `dip` at `at`.
Interval dipping(const Interval& x, double at, double dip, double (*f)(double))
{
  if (!x.is_known()) {
    return x.is_bottom() ? x : Interval::of(dip, k_inf);
  }
  const double low = x.includes(at) ? dip : std::min(f(x.low()), f(x.high()));
  return Interval::of(low, std::max(f(x.low()), f(x.high())));
}

double gelu(double x)
{
  return std::isinf(x) ? std::max(x, 0.0) : 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
}

double swish(double x)
{
  return std::isinf(x) ? std::max(x, 0.0) : x / (1 + std::exp(-x));
}

double mish(double x)
{
  return std::isinf(x) ? std::max(x, 0.0) : x * std::tanh(softplus(x));
}

double hard_swish(double x)
{
  return x <= -3 ? 0 : x >= 3 ? x : x * (x + 3) / 6;
}

Interval within(const Interval& x, double low, double high)
{
  return x.is_bottom() ? x : Interval::of(low, high);
}

Interval exponential(const Interval& x)
{
  const Interval result = x.exp();
  return result.is_known() ? Interval::of(to_float(result.low()), result.high()) : result;
}

Interval log_of(const Interval& x, double base)
{
  const Interval natural = x.log();
  return natural.is_known() ? Interval::of(natural.low() / base, natural.high() / base) : natural;
}

} // namespace

Interval joined(Interval a, const Interval& b)
{
  a.join(b);
  return a;
}

Interval leaky_relu_interval(const Interval& x, double slope)
{
  if (!x.is_known() || slope < 0) {
    return x.is_known() ? Interval::reals() : x;
  }
  const auto value = [slope](double v) { return v < 0 ? (slope == 0 ? 0 : slope * v) : v; };
  return Interval::of(value(x.low()), value(x.high()));
}

Interval interval_after(std::string_view op, const Interval& x)
{
  struct Row {
    std::string_view op;
    Interval (*f)(const Interval&);
  };
  static constexpr Row k_rows[] = {
      {"relu", [](const Interval& v) { return v.maximum(Interval::point(0)); }},
      {"relu6", [](const Interval& v) { return v.clipped(0, 6); }},
      {"leaky_relu", [](const Interval& v) { return leaky_relu_interval(v, 0.01); }},
      {"prelu", [](const Interval& v) { return v.is_known() ? Interval::reals() : v; }},
      {"elu", [](const Interval& v) { return bounded(v, -1, k_inf, elu); }},
      {"selu", [](const Interval& v) { return bounded(v, -1.7580993408473766, k_inf, selu); }},
      {"gelu", [](const Interval& v) { return dipping(v, -0.7518, -0.17, gelu); }},
      {"swish", [](const Interval& v) { return dipping(v, -1.2785, -0.279, swish); }},
      {"mish", [](const Interval& v) { return dipping(v, -1.1924, -0.3089, mish); }},
      {"hard_swish", [](const Interval& v) { return dipping(v, -1.5, -0.375, hard_swish); }},
      {"softplus", [](const Interval& v) { return bounded(v, 0, k_inf, softplus); }},
      {"softsign", [](const Interval& v) { return bounded(v, -1, 1, softsign); }},
      {"sigmoid", [](const Interval& v) { return bounded(v, 0, 1, sigmoid); }},
      {"hard_sigmoid", [](const Interval& v) { return within(v, 0, 1); }},
      {"tanh", [](const Interval& v) { return bounded(v, -1, 1, hyperbolic); }},
      {"hard_tanh", [](const Interval& v) { return v.clipped(-1, 1); }},
      {"log_sigmoid", [](const Interval& v) { return bounded(v, -k_inf, 0, log_sigmoid); }},
      {"softmax", [](const Interval& v) { return within(v, 0, 1); }},
      {"log_softmax", [](const Interval& v) { return within(v, -k_inf, 0); }},
      {"neg", [](const Interval& v) { return v.negated(); }},
      {"abs", [](const Interval& v) { return v.abs(); }},
      {"square", [](const Interval& v) { return v.square(); }},
      {"sqrt", [](const Interval& v) { return v.sqrt(); }},
      {"rsqrt", [](const Interval& v) { return Interval::point(1).over(v.sqrt()); }},
      {"exp", exponential},
      {"expm1", [](const Interval& v) { return monotone(v, std::expm1); }},
      {"log", [](const Interval& v) { return v.log(); }},
      {"log1p", [](const Interval& v) { return v.plus(Interval::point(1)).log(); }},
      {"log2", [](const Interval& v) { return log_of(v, std::numbers::ln2); }},
      {"log10", [](const Interval& v) { return log_of(v, std::numbers::ln10); }},
      {"reciprocal", [](const Interval& v) { return Interval::point(1).over(v); }},
      {"round", [](const Interval& v) { return monotone(v, std::nearbyint); }},
      {"floor", [](const Interval& v) { return v.floor(); }},
      {"ceil", [](const Interval& v) { return monotone(v, std::ceil); }},
      {"sign", [](const Interval& v) { return within(v, -1, 1); }},
      {"sin", [](const Interval& v) { return within(v, -1, 1); }},
      {"cos", [](const Interval& v) { return within(v, -1, 1); }},
      {"erf", [](const Interval& v) { return bounded(v, -1, 1, std::erf); }},
      {"asin",
       [](const Interval& v) { return within(v, -std::numbers::pi / 2, std::numbers::pi / 2); }},
      {"acos", [](const Interval& v) { return within(v, 0, std::numbers::pi); }},
      {"sinh", [](const Interval& v) { return monotone(v, std::sinh); }},
      {"cosh", [](const Interval& v) { return monotone(v.abs(), std::cosh); }},
  };
  for (const Row& row : k_rows) {
    if (row.op == op) {
      return row.f(x);
    }
  }
  constexpr std::string_view k_keeping[] = {"linear",
                                            "identity",
                                            "dropout",
                                            "spatial_dropout",
                                            "flatten",
                                            "reshape",
                                            "permute",
                                            "squeeze",
                                            "expand_dims",
                                            "repeat",
                                            "tile",
                                            "expand",
                                            "crop",
                                            "upsample",
                                            "pixel_shuffle",
                                            "slice",
                                            "gather",
                                            "split",
                                            "unstack",
                                            "contiguous",
                                            "cast",
                                            "detach",
                                            "to_device",
                                            "max_pool",
                                            "avg_pool",
                                            "adaptive_max_pool",
                                            "adaptive_avg_pool",
                                            "sort",
                                            "topk",
                                            "to_numpy",
                                            "reduce_max",
                                            "reduce_min",
                                            "reduce_mean"};
  return std::ranges::find(k_keeping, op) != std::end(k_keeping) ? x : Interval::top();
}

Interval interval_after(std::string_view op, const Interval& a, const Interval& b)
{
  if (op == "add" || op == "concat" || op == "sub" || op == "subtract") {
    return op == "add" ? a.plus(b) : op == "concat" ? joined(a, b) : a.minus(b);
  }
  if (op == "mul" || op == "multiply") {
    return a.times(b);
  }
  if (op == "div") {
    return a.over(b);
  }
  if (op == "floor_div") {
    return a.over(b).floor();
  }
  if (op == "mod") {
    // Python's sign rule, which torch and NumPy follow.
    return b.is_known() && b.low() > 0 ? Interval::of(0, b.high()) : Interval::top();
  }
  if (op == "maximum") {
    return a.maximum(b);
  }
  if (op == "minimum") {
    return a.minimum(b);
  }
  if (op == "average") {
    return a.plus(b).times(Interval::point(0.5));
  }
  if (op == "where") {
    return joined(a, b);
  }
  if (op == "pow") {
    if (const auto exponent = b.value()) {
      return a.power(*exponent);
    }
    // e ** x and 2 ** x.
    if (const auto base = a.value(); base && *base > 0) {
      return exponential(b.times(Interval::point(std::log(*base))));
    }
  }
  return Interval::top();
}

Interval interval_reduced(std::string_view op, const Interval& x, const Dim& count)
{
  const auto known = count.constant();
  const double n = known ? static_cast<double>(*known) : k_many_elements;
  if (op == "argmax" || op == "argmin") {
    return known && *known > 0 ? Interval::of(0, n - 1) : Interval::top();
  }
  if (op == "reduce_any" || op == "reduce_all") {
    return within(x, 0, 1);
  }
  if (op == "reduce_max" || op == "reduce_min" || op == "reduce_mean" || op == "topk" ||
      op == "sort") {
    return x;
  }
  if (!x.is_known()) {
    return x;
  }
  if (op == "reduce_sum") {
    return known ? x.scaled(n) : joined(x, x.scaled(n));
  }
  if (op == "cumsum") {
    return joined(x, x.scaled(n));
  }
  if (op == "norm") {
    return x.abs().times(Interval::of(1, std::sqrt(std::max(n, 1.0))));
  }
  if (op == "reduce_var" || op == "reduce_std") {
    const double spread = (x.high() - x.low()) / 2;
    return Interval::of(0, op == "reduce_std" ? spread : spread * spread);
  }
  if (op == "logsumexp") {
    return x.plus(known ? Interval::point(std::log(std::max(n, 1.0)))
                        : Interval::of(0, std::log(n)));
  }
  if (op == "reduce_prod") {
    if (x.low() >= -1 && x.high() <= 1) {
      return Interval::of(x.low() >= 0 ? 0 : -1, 1);
    }
    return x.low() >= 0 ? Interval::of(x.low() >= 1 ? 1 : 0, k_inf) : Interval::reals();
  }
  return Interval::top();
}

Interval softmax_interval(const Interval& logits, const Dim& classes)
{
  const auto known = classes.constant();
  if (!logits.is_known() || !known || *known < 1 || !std::isfinite(logits.low()) ||
      !std::isfinite(logits.high())) {
    return logits.is_bottom() ? logits : Interval::of(0, 1);
  }
  // Divided by the larger exponential, so that nothing overflows on the way.
  const double others = static_cast<double>(*known) - 1;
  const double ratio = std::exp(logits.low() - logits.high());
  return Interval::of(to_float(ratio / (others + ratio)), 1 / (others * ratio + 1));
}

Interval log_softmax_interval(const Interval& logits, const Dim& classes)
{
  const auto known = classes.constant();
  if (!logits.is_known() || !known || *known < 1) {
    return logits.is_bottom() ? logits : Interval::of(-k_inf, 0);
  }
  const double low = logits.low() - logits.high() - std::log(static_cast<double>(*known));
  return Interval::of(std::isnan(low) ? -k_inf : std::min(low, 0.0), 0);
}

Interval product_interval(const Interval& a, const Interval& b, const Dim& count)
{
  return interval_reduced("reduce_sum", a.times(b), count);
}

} // namespace faultline::program
