// math and random: numbers in, numbers out.

#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/reading.hpp"
#include "program/names/tables.hpp"

#include <cmath>
#include <numeric>

namespace faultline::program {

// A function of one number: exact on constants, endpoints of the interval otherwise.
static Ref
real_function(Machine& m, Call& call, double (*exact)(double), Interval (*bounds)(const Interval&))
{
  const Ref x = take(m, call, "x");
  if (const auto value = m.to_double(x)) {
    const double result = exact(*value);
    if (std::isfinite(result)) {
      return m.real(result);
    }
  }
  return m.number(bounds(m.to_interval(x)));
}

static Interval anything(const Interval&)
{
  return Interval::top();
}
static Interval unit(const Interval&)
{
  return Interval::of(-1, 1);
}
static Interval exp_of(const Interval& x)
{
  return x.exp();
}
static Interval log_of(const Interval& x)
{
  return x.log();
}
static Interval sqrt_of(const Interval& x)
{
  return x.sqrt();
}
static Interval abs_of(const Interval& x)
{
  return x.abs();
}

static Ref exp(Machine& m, Call& call)
{
  return real_function(m, call, std::exp, exp_of);
}
static Ref sqrt(Machine& m, Call& call)
{
  return real_function(m, call, std::sqrt, sqrt_of);
}
static Ref fabs(Machine& m, Call& call)
{
  return real_function(m, call, std::fabs, abs_of);
}
static Ref log2(Machine& m, Call& call)
{
  return real_function(m, call, std::log2, anything);
}
static Ref log10(Machine& m, Call& call)
{
  return real_function(m, call, std::log10, anything);
}
static Ref log1p(Machine& m, Call& call)
{
  return real_function(m, call, std::log1p, anything);
}
static Ref expm1(Machine& m, Call& call)
{
  return real_function(m, call, std::expm1, anything);
}
static Ref sin(Machine& m, Call& call)
{
  return real_function(m, call, std::sin, unit);
}
static Ref cos(Machine& m, Call& call)
{
  return real_function(m, call, std::cos, unit);
}
static Ref tanh(Machine& m, Call& call)
{
  return real_function(m, call, std::tanh, unit);
}
static Ref tan(Machine& m, Call& call)
{
  return real_function(m, call, std::tan, anything);
}
static Ref atan(Machine& m, Call& call)
{
  return real_function(m, call, std::atan, anything);
}
static Ref radians(Machine& m, Call& call)
{
  return real_function(
      m, call, [](double x) { return x * 3.14159265358979323846 / 180; }, anything);
}
static Ref degrees(Machine& m, Call& call)
{
  return real_function(
      m, call, [](double x) { return x * 180 / 3.14159265358979323846; }, anything);
}

static Ref log(Machine& m, Call& call)
{
  const Argument* const base = call.given("base");
  if (base == nullptr) {
    return real_function(m, call, std::log, log_of);
  }
  const auto x = m.to_double(take(m, call, "x"));
  const auto b = m.to_double(base->value);
  const double result = x && b ? std::log(*x) / std::log(*b) : Interval::k_inf;
  return std::isfinite(result) ? m.real(result) : m.number(Interval::top());
}

static Ref whole(Machine& m, Call& call, double (*exact)(double))
{
  const Ref x = take(m, call, "x");
  const auto value = m.to_double(x);
  if (value && std::fabs(*value) < 9e15) {
    const Ref result = m.integer(static_cast<int64_t>(exact(*value)));
    result->assumed = x->assumed;
    return result;
  }
  const Interval interval = m.to_interval(x);
  return m.number(interval.is_known() ? Interval::of(exact(interval.low()), exact(interval.high()))
                                      : interval,
                  true);
}

static Ref floor(Machine& m, Call& call)
{
  return whole(m, call, std::floor);
}
static Ref ceil(Machine& m, Call& call)
{
  return whole(m, call, std::ceil);
}
static Ref trunc(Machine& m, Call& call)
{
  return whole(m, call, std::trunc);
}

static Ref pow(Machine& m, Call& call)
{
  const auto x = m.to_double(take(m, call, "x"));
  const auto y = m.to_double(take(m, call, "y"));
  const double result = x && y ? std::pow(*x, *y) : Interval::k_inf;
  if (std::isfinite(result)) {
    return m.real(result);
  }
  return m.number(y ? m.to_interval(take(m, call, "x")).power(*y) : Interval::top());
}

static Ref product(Machine& m, Call& call)
{
  const Items items = expand(m, take(m, call, "iterable"), call.span);
  double result = 1;
  bool integral = true;
  for (const Ref item : items.all()) {
    const auto value = m.to_double(item);
    if (!value || items.open) {
      return m.number(Interval::top());
    }
    integral = integral && is_integral(item);
    result *= *value;
  }
  const bool fits = integral && std::fabs(result) < 9e15;
  return fits ? m.integer(static_cast<int64_t>(result)) : m.real(result);
}

static Ref gcd(Machine& m, Call& call)
{
  int64_t result = 0;
  for (const Ref item : positional(call)) {
    const auto value = m.to_int(item);
    if (!value) {
      return m.number(Interval::of(0, Interval::k_inf), true);
    }
    result = std::gcd(result, *value);
  }
  return m.integer(result);
}

static Ref tau(Machine& m, Call&)
{
  return m.real(6.28318530717958647692);
}
// --- random ---

static Ref between(Machine& m, Call& call)
{
  const Interval low = m.to_interval(take(m, call, "a"));
  const Interval high = m.to_interval(take(m, call, "b"));
  Interval hull = low;
  hull.join(high);
  return m.number(low.is_known() && high.is_known() ? hull : Interval::top(),
                  call.name == "random.randint");
}

static Ref below(Machine& m, Call& call)
{
  const bool one = call.given("stop") == nullptr;
  const Interval low = one ? Interval::point(0) : m.to_interval(take(m, call, "start"));
  const Interval high = m.to_interval(call.arg(one ? "start" : "stop"));
  if (!low.is_known() || !high.is_known() || high.high() - 1 < low.low()) {
    return m.number(Interval::top(), true);
  }
  return m.number(Interval::of(low.low(), high.high() - 1), true);
}

static Ref normal(Machine& m, Call& call)
{
  // Six standard deviations are as far as a run will ever see.
  const auto mu = m.to_double(take(m, call, "mu"));
  const auto sigma = m.to_double(take(m, call, "sigma"));
  if (!mu || !sigma) {
    return m.number(Interval::top());
  }
  const double reach = 6 * std::fabs(*sigma);
  return m.number(Interval::of(*mu - reach, *mu + reach));
}

static Ref pick(Machine& m, Call& call)
{
  const Ref one = join_all(m, expand(m, take(m, call, "seq"), call.span).all());
  return one != nullptr ? one : m.unknown();
}

static Ref pick_several(Machine& m, Call& call)
{
  const Ref one = pick(m, call);
  const auto count = m.to_int(take(m, call, "k"));
  if (count && *count >= 0 && *count <= 128) {
    return m.list(std::vector<Ref>(static_cast<size_t>(*count), one));
  }
  return m.open_list(one);
}

static Ref shuffle(Machine& m, Call& call)
{
  if (auto* list = as<Sequence>(take(m, call, "x")); list != nullptr && list->items.size() > 1) {
    m.touch(*list);
    const Ref any = join_all(m, list->items);
    std::fill(list->items.begin(), list->items.end(), any);
  }
  return m.none();
}

static constexpr Api k_rows[] = {
    {"math.exp", "x", Role::function, "exp", 0, exp},
    {"math.expm1", "x", Role::function, "expm1", 0, expm1},
    {"math.log", "x, base=None", Role::function, "log", 0, log},
    {"math.log2", "x", Role::function, "log2", 0, log2},
    {"math.log10", "x", Role::function, "log10", 0, log10},
    {"math.log1p", "x", Role::function, "log1p", 0, log1p},
    {"math.sqrt", "x", Role::function, "sqrt", 0, sqrt},
    {"math.fabs", "x", Role::function, "abs", 0, fabs},
    {"math.sin", "x", Role::function, "sin", 0, sin},
    {"math.cos", "x", Role::function, "cos", 0, cos},
    {"math.tan", "x", Role::function, {}, 0, tan},
    {"math.tanh", "x", Role::function, "tanh", 0, tanh},
    {"math.atan", "x", Role::function, {}, 0, atan},
    {"math.asin", "x", Role::function, "asin", 0, answers::number},
    {"math.acos", "x", Role::function, "acos", 0, answers::number},
    {"math.sinh", "x", Role::function, "sinh", 0, answers::number},
    {"math.cosh", "x", Role::function, "cosh", 0, answers::number},
    {"math.erf", "x", Role::function, "erf", 0, answers::number},
    {"math.lgamma", "x", Role::function, "lgamma", 0, answers::number},
    {"math.atan2", "y, x", Role::function, {}, 0, answers::number},
    {"math.hypot", "*args", Role::function, {}, 0, answers::number},
    {"math.fmod", "x, y", Role::function, {}, 0, answers::number},
    {"math.modf", "x", Role::function},
    {"math.dist", "p, q", Role::function, {}, 0, answers::number},
    {"math.copysign", "x, y", Role::function, {}, 0, answers::number},
    {"math.fsum", "iterable", Role::function, {}, 0, answers::number},
    {"math.gamma", "x", Role::function, {}, 0, answers::number},
    {"math.factorial", "x", Role::function, {}, 0, answers::count},
    {"math.comb", "n, k", Role::function, {}, 0, answers::count},
    {"math.isqrt", "n", Role::function, {}, 0, answers::count},
    {"math.radians", "x", Role::function, {}, 0, radians},
    {"math.degrees", "x", Role::function, {}, 0, degrees},
    {"math.floor", "x", Role::function, "floor", 0, floor},
    {"math.ceil", "x", Role::function, "ceil", 0, ceil},
    {"math.trunc", "x", Role::function, {}, 0, trunc},
    {"math.pow", "x, y", Role::function, "pow", 0, pow},
    {"math.prod", "iterable, *, start=1", Role::function, {}, 0, product},
    {"math.gcd", "*integers", Role::function, {}, 0, gcd},
    {"math.isnan", "x", Role::function, {}, 0, answers::truth},
    {"math.isinf", "x", Role::function, {}, 0, answers::truth},
    {"math.isfinite", "x", Role::function, {}, 0, answers::truth},
    {"math.isclose", "a, b, **kwargs", Role::function, {}, 0, answers::truth},
    {"math.pi", "", Role::attribute, {}, 0, answers::pi},
    {"math.e", "", Role::attribute, {}, 0, answers::e},
    {"math.tau", "", Role::attribute, {}, 0, tau},
    {"math.inf", "", Role::attribute, {}, 0, answers::infinity},
    {"math.nan", "", Role::attribute, {}, 0, answers::number},

    {"random.seed", "a=None, version=2", Role::function, "seed"},
    {"random.random", "", Role::function, {}, k_random, answers::share},
    {"random.uniform", "a, b", Role::function, {}, k_random, between},
    {"random.randint", "a, b", Role::function, {}, k_random, between},
    {"random.randrange", "start, stop=None, step=1", Role::function, {}, k_random, below},
    {"random.gauss", "mu=0.0, sigma=1.0", Role::function, {}, k_random, normal},
    {"random.normalvariate", "mu=0.0, sigma=1.0", Role::function, {}, k_random, normal},
    {"random.triangular",
     "low=0.0, high=1.0, mode=None",
     Role::function,
     {},
     k_random,
     answers::number},
    {"random.expovariate", "lambd=1.0", Role::function, {}, k_random, answers::number},
    {"random.betavariate", "alpha, beta", Role::function, {}, k_random, answers::share},
    {"random.choice", "seq", Role::function, {}, k_random, pick},
    {"random.choices",
     "seq, weights=None, *, cum_weights=None, k=1",
     Role::function,
     {},
     k_random,
     pick_several},
    {"random.sample", "seq, k, *, counts=None", Role::function, {}, k_random, pick_several},
    {"random.shuffle", "x, random=None", Role::function, "shuffle", k_random | k_in_place, shuffle},
    {"random.getrandbits", "k", Role::function, {}, k_random, answers::count},
    {"random.getstate", "", Role::opaque},
    {"random.setstate", "state", Role::opaque},
    {"random.Random", "seed=None", Role::object},
    {"random.SystemRandom", "seed=None", Role::object},
};

std::span<const Api> python_math()
{
  return k_rows;
}

} // namespace faultline::program
