#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

namespace {

std::optional<double> bound(const Call& clip, std::initializer_list<std::string_view> names)
{
  for (const std::string_view name : names) {
    if (const Ref value = clip.arg(name)) {
      return numeric::number_in(value);
    }
  }
  return std::nullopt;
}

// The least value that a clip or maximum lets through.
std::optional<double> lower_bound(const Call& call)
{
  if (call.is("clip")) {
    return bound(call, {"min", "clip_value_min", "a_min", "min_value", "x_min"});
  }
  if (!call.is("maximum")) {
    return std::nullopt;
  }
  const auto first = numeric::number_in(numeric::operand(call, 0).value);
  return first ? first : numeric::number_in(numeric::operand(call, 1).value);
}

// clip(x, 1, 0): everything becomes the second bound.
void check_bounds(const Program& program, const Call& call, Reporter& report)
{
  if (!call.is("clip")) {
    return;
  }
  const auto from = lower_bound(call);
  const auto to = bound(call, {"max", "clip_value_max", "a_max", "max_value", "x_max"});
  if (!from || !to || *from <= *to) {
    return;
  }
  report
      .add(call.span,
           format("`{}` with the lower bound {:g} above the upper bound {:g}",
                  written(program, call),
                  *from,
                  *to))
      .label("every element becomes the same")
      .help("write the smaller bound first")
      .severity(Severity::error)
      .cause(&call);
}

// What was meant to keep the argument of a logarithm away from 0, and why it does not.
std::string failed_guard(const Program& program, const Call& logarithm, const Operand& x)
{
  const Call* const guard = numeric::maker(x.tensor);
  if (guard != nullptr && lower_bound(*guard) == 0.0) {
    return format("`{}` still lets 0 through", program.text(guard->span));
  }
  double offset = 0;
  const Tensor* const guarded = numeric::without_offset(x.tensor, &offset);
  if (guarded != nullptr && offset > 0 && offset <= numeric::float_range(x.tensor).tiny) {
    return format("{:g} is 0 in {}",
                  offset,
                  x.tensor->dtype.is_unknown() ? "float32" : x.tensor->dtype.text());
  }
  for (const Call* use : program.consumers(numeric::result_of(logarithm))) {
    constexpr double k_small = 1e-3;
    if (use->is("add") && numeric::without_offset(numeric::result_of(*use), &offset) != nullptr &&
        offset > 0 && offset <= k_small) {
      return format("{:g} is added to the logarithm, not to its argument", offset);
    }
  }
  return {};
}

void check_logarithm(const Program& program, const Call& call, Reporter& report)
{
  const auto x = numeric::unsafe_logarithm(program, call);
  const std::string why = x ? failed_guard(program, call, *x) : std::string();
  if (why.empty()) {
    return;
  }
  report.add(x->span, format("a guard that does not keep `{}` away from 0", written(program, call)))
      .label(why)
      .help("use a bound above 0 that the type can hold, such as 1e-7")
      .type(numeric::type_of(program, call))
      .cause(numeric::danger_origin(x->tensor));
}

// log(1 - clip(p, eps, 1 - eps)) where 1 - eps is 1 in float32.
void check_upper_bound(const Program& program, const Call& call, Reporter& report)
{
  const Operand x = numeric::is_logarithm(call) ? numeric::operand(call, 0) : Operand();
  const Tensor* const p = x.tensor != nullptr ? numeric::complemented(x.tensor) : nullptr;
  const Call* const guard = numeric::maker(p);
  if (guard == nullptr || !(guard->is("clip") || guard->is("minimum")) || numeric::is_numpy(p) ||
      !numeric::may_learn(numeric::result_of(call)) ||
      p->dtype == program::DType(program::DType::Kind::float64)) {
    return;
  }
  const double bound = p->interval.is_known() ? p->interval.high() : 1;
  const double step = numeric::float_range(p).step;
  if (bound >= 1 || 1 - bound >= step / 2) {
    return;
  }
  report.add(guard->span, format("an upper bound of 1 - {:g} is 1 in float32", 1 - bound))
      .label("does not keep 1 - p away from 0")
      .help("use at least 1e-7, or the form of the loss that takes raw scores")
      .type(numeric::type_of(program, call))
      .cause(numeric::held(p));
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    check_bounds(program, call, report);
    check_logarithm(program, call, report);
    check_upper_bound(program, call, report);
  }
}

} // namespace

extern const Rule ineffective_guard{
    .name = "ineffective-guard",
    .summary = "Finds guards against log(0) that have no effect",
    .applies = "any",
    .type = "training/loss-function/wrong-loss-function-calculation",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .rank = numeric::k_broken_guard,
    .check = check,
};

} // namespace faultline::rules
