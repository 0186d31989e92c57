// NumPy: random numbers. The functions, RandomState and Generator share these.

#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"

#include <cmath>

namespace faultline::program {

static constexpr DType k_float64 = DType::Kind::float64;
static constexpr DType k_int64 = DType::Kind::int64;

// An array of the asked shape; a number if no shape was asked for.
static Ref drawn(Machine& m, Call& call, Ref size, DType dtype, const Interval& interval)
{
  if (size == nullptr || m.is_none(size)) {
    return m.number(interval, dtype.is_integer());
  }
  return array(m, call, shape_argument(m, size), dtype, interval);
}

// rand(2, 3) and randn(2, 3) take the sizes one by one.
static Ref drawn_by_sizes(Machine& m, Call& call, const Interval& interval)
{
  const std::vector<Ref> sizes = positional(call);
  if (sizes.empty()) {
    return m.number(interval);
  }
  std::vector<Dim> dims;
  for (const Ref size : sizes) {
    dims.push_back(m.to_dim(size));
  }
  // rand((2, 3)) is an error in NumPy, but rand(*shape) with an unknown shape is not.
  const bool plain = as<Sequence>(sizes.front()) == nullptr && sizes.front()->kind != Kind::unknown;
  return array(m, call, plain ? Shape::of(std::move(dims)) : Shape::top(), k_float64, interval);
}

// Six standard deviations are as far as a run will ever see.
static Interval bell(const Interval& mean, const Interval& deviation)
{
  if (!mean.is_known() || !deviation.is_known()) {
    return Interval::top();
  }
  return mean.plus(deviation.abs().times(Interval::of(-6, 6)));
}

static Ref rand(Machine& m, Call& call)
{
  return drawn_by_sizes(m, call, Interval::of(0, 1));
}
static Ref randn(Machine& m, Call& call)
{
  return drawn_by_sizes(m, call, Interval::of(-6, 6));
}

static Ref random(Machine& m, Call& call)
{
  const DType dtype = dtype_argument(m, call.arg("dtype"), k_float64);
  return drawn(m, call, call.arg("size"), dtype, Interval::of(0, 1));
}

static Ref standard_normal(Machine& m, Call& call)
{
  const DType dtype = dtype_argument(m, call.arg("dtype"), k_float64);
  return drawn(m, call, call.arg("size"), dtype, Interval::of(-6, 6));
}

// Without a size the parameters give it.
static Ref
sized_by(Machine& m, Call& call, std::string_view a, std::string_view b, const Interval& range)
{
  const Ref size = call.arg("size");
  const Ref x = take(m, call, a);
  const Ref y = take(m, call, b);
  if (m.is_none(size) && !(is_number(x) && is_number(y))) {
    const Shape shape = combined(to_array(m, x).shape, to_array(m, y).shape).result.shape;
    return array(m, call, shape, k_float64, range);
  }
  return drawn(m, call, size, k_float64, range);
}

static Ref uniform(Machine& m, Call& call)
{
  const Interval low = m.to_interval(call.arg("low"));
  const Interval high = m.to_interval(call.arg("high"));
  return sized_by(m,
                  call,
                  "low",
                  "high",
                  low.is_known() && high.is_known() ? joined(low, high) : Interval::top());
}

static Ref normal(Machine& m, Call& call)
{
  return sized_by(m,
                  call,
                  "loc",
                  "scale",
                  bell(m.to_interval(call.arg("loc")), m.to_interval(call.arg("scale"))));
}

static Ref integers(Machine& m, Call& call)
{
  const bool one = call.given("high") == nullptr || m.is_none(call.arg("high"));
  const Interval low = one ? Interval::point(0) : m.to_interval(call.arg("low"));
  const Interval high = m.to_interval(call.arg(one ? "low" : "high"));
  const bool inclusive =
      call.name.ends_with("random_integers") ||
      (call.arg("endpoint") != nullptr && m.to_bool(call.arg("endpoint")) == true);
  Interval interval = Interval::top();
  if (low.is_known() && high.is_known()) {
    const double top = high.high() - (inclusive ? 0 : 1);
    const double bottom = one && inclusive ? 1 : low.low();
    interval = Interval::of(bottom, std::max(bottom, top));
  }
  return drawn(m, call, call.arg("size"), dtype_argument(m, call.arg("dtype"), k_int64), interval);
}

static Ref choice(Machine& m, Call& call)
{
  const Ref from = take(m, call, "a");
  const Ref size = call.arg("size");
  if (const auto count = m.to_dim(from).constant()) {
    const double top = std::max(0.0, static_cast<double>(*count) - 1);
    return drawn(m, call, size, k_int64, Interval::of(0, top));
  }
  if (is_number(from)) {
    return drawn(m, call, size, k_int64, Interval::of(0, Interval::k_inf));
  }
  if (m.is_none(size)) {
    return m.iterate(from, call.span);
  }
  const Tensor& pool = to_array(m, from);
  const Shape rest =
      pool.shape.has_rank() && *pool.shape.rank() > 0 ? pool.shape.without(0) : Shape::top();
  return rearranged(m, call, pool, shape_argument(m, size).plus(rest));
}

static Ref permutation(Machine& m, Call& call)
{
  const Ref what = take(m, call, "x");
  if (is_number(what)) {
    const Dim n = m.to_dim(what);
    const auto known = n.constant();
    const double top = known && *known > 0 ? static_cast<double>(*known - 1) : Interval::k_inf;
    return array(m, call, Shape::of({n}), k_int64, Interval::of(0, top));
  }
  return array_like(m, call, to_array(m, what));
}

static Ref shuffle(Machine& m, Call& call)
{
  if (auto* list = as<Sequence>(call.arg("x")); list != nullptr && list->items.size() > 1) {
    m.touch(*list);
    const Ref any = join_all(m, list->items);
    std::fill(list->items.begin(), list->items.end(), any);
  }
  return m.none();
}

static Ref counts(Machine& m, Call& call)
{
  const Interval high = m.to_interval(call.arg("n"));
  return drawn(m,
               call,
               call.arg("size"),
               k_int64,
               Interval::of(0, high.is_known() ? std::max(0.0, high.high()) : Interval::k_inf));
}

static Ref multinomial(Machine& m, Call& call)
{
  const Tensor& chances = operand(m, call, "pvals");
  const Ref size = call.arg("size");
  const Shape lead = m.is_none(size) ? Shape::scalar() : shape_argument(m, size);
  return array(m, call, lead.plus(chances.shape), k_int64, Interval::of(0, Interval::k_inf));
}

static Ref positive(Machine& m, Call& call)
{
  return drawn(m, call, call.arg("size"), k_float64, Interval::of(0, Interval::k_inf));
}

static Ref positive_count(Machine& m, Call& call)
{
  return drawn(m, call, call.arg("size"), k_int64, Interval::of(0, Interval::k_inf));
}

static Ref real(Machine& m, Call& call)
{
  return drawn(m, call, call.arg("size"), k_float64, Interval::reals());
}

static Ref unit(Machine& m, Call& call)
{
  return drawn(m, call, call.arg("size"), k_float64, Interval::of(0, 1));
}

static Ref simplex(Machine& m, Call& call)
{
  const Tensor& alpha = operand(m, call, "alpha");
  const Ref size = call.arg("size");
  const Shape lead = m.is_none(size) ? Shape::scalar() : shape_argument(m, size);
  return array(m, call, lead.plus(alpha.shape), k_float64, Interval::of(0, 1));
}

static Ref multivariate(Machine& m, Call& call)
{
  const Tensor& mean = operand(m, call, "mean");
  const Ref size = call.arg("size");
  const Shape lead = m.is_none(size) ? Shape::scalar() : shape_argument(m, size);
  return array(m, call, lead.plus(mean.shape), k_float64, Interval::reals());
}

static constexpr std::string_view k_state = "numpy.random.RandomState";

// A family of rows: the function and the method of both generator classes.
#define FL_RANDOM(name, signature, op, transfer)                                                   \
  {"numpy.random." name, signature, Role::function, op, k_random, transfer},                       \
  {                                                                                                \
    "numpy.random.RandomState." name, signature, Role::method, op, k_random, transfer              \
  }

static constexpr Api k_rows[] = {
    {"numpy.random.seed", "seed=None", Role::function, "seed"},
    {"numpy.random.RandomState", "seed=None", Role::object, "seed"},
    {"numpy.random.RandomState.seed", "seed=None", Role::method, "seed"},
    {"numpy.random.default_rng", "seed=None", Role::object, "seed", 0, nullptr, k_state},
    {"numpy.random.Generator", "bit_generator=None", Role::object, {}, 0, nullptr, k_state},
    {"numpy.random.SeedSequence", "*args, **kwargs", Role::object},
    {"numpy.random.PCG64", "*args, **kwargs", Role::object},
    {"numpy.random.MT19937", "*args, **kwargs", Role::object},
    {"numpy.random.get_state", "**kwargs", Role::opaque},
    {"numpy.random.set_state", "state", Role::opaque},
    FL_RANDOM("rand", "*sizes", "random_uniform", rand),
    FL_RANDOM("randn", "*sizes", "random_normal", randn),
    FL_RANDOM("random", "size=None, dtype=None, out=None", "random_uniform", random),
    FL_RANDOM("random_sample", "size=None, dtype=None", "random_uniform", random),
    FL_RANDOM("ranf", "size=None, dtype=None", "random_uniform", random),
    FL_RANDOM("sample", "size=None, dtype=None", "random_uniform", random),
    FL_RANDOM("uniform", "low=0.0, high=1.0, size=None", "random_uniform", uniform),
    FL_RANDOM("normal", "loc=0.0, scale=1.0, size=None", "random_normal", normal),
    FL_RANDOM(
        "standard_normal", "size=None, dtype=None, out=None", "random_normal", standard_normal),
    FL_RANDOM("randint", "low, high=None, size=None, dtype=None", "random_int", integers),
    FL_RANDOM("integers",
              "low, high=None, size=None, dtype=None, endpoint=False",
              "random_int",
              integers),
    FL_RANDOM("random_integers", "low, high=None, size=None", "random_int", integers),
    FL_RANDOM("choice", "a, size=None, replace=True, p=None, axis=0, shuffle=True", {}, choice),
    FL_RANDOM("permutation", "x, axis=0", "shuffle", permutation),
    FL_RANDOM("permuted", "x, axis=None, out=None", "shuffle", permutation),
    FL_RANDOM("shuffle", "x, axis=0", "shuffle", shuffle),
    FL_RANDOM("binomial", "n, p, size=None", {}, counts),
    FL_RANDOM("multinomial", "n, pvals, size=None", {}, multinomial),
    FL_RANDOM("poisson", "lam=1.0, size=None", {}, positive_count),
    FL_RANDOM("geometric", "p, size=None", {}, positive_count),
    FL_RANDOM("exponential", "scale=1.0, size=None", {}, positive),
    FL_RANDOM("gamma", "shape, scale=1.0, size=None", {}, positive),
    FL_RANDOM("lognormal", "mean=0.0, sigma=1.0, size=None", {}, positive),
    FL_RANDOM("rayleigh", "scale=1.0, size=None", {}, positive),
    FL_RANDOM("chisquare", "df, size=None", {}, positive),
    FL_RANDOM("beta", "a, b, size=None", {}, unit),
    FL_RANDOM("dirichlet", "alpha, size=None", {}, simplex),
    FL_RANDOM("laplace", "loc=0.0, scale=1.0, size=None", {}, real),
    FL_RANDOM("logistic", "loc=0.0, scale=1.0, size=None", {}, real),
    FL_RANDOM("gumbel", "loc=0.0, scale=1.0, size=None", {}, real),
    FL_RANDOM("standard_t", "df, size=None", {}, real),
    FL_RANDOM("multivariate_normal", "mean, cov, size=None, **kwargs", {}, multivariate),
};

#undef FL_RANDOM

std::span<const Api> numpy_random()
{
  return k_rows;
}

} // namespace faultline::program
