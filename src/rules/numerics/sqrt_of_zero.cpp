#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

namespace {

bool is_root(const Call& call)
{
  return call.is("sqrt") ||
         (call.is("pow") && numeric::number_in(numeric::operand(call, 1).value) == 0.5);
}

// The square root of one average over everything is 0 only if all is: a root mean square error.
bool is_whole_average(const Tensor* tensor)
{
  const Call* const call = numeric::maker(tensor);
  if (call == nullptr) {
    return false;
  }
  const bool reduces = call->is("reduce_mean") || call->is("reduce_sum") || call->is("reduce_var");
  return (reduces && !numeric::has_axis(*call)) || call->op().starts_with("loss.");
}

// The author meant the value itself, not a gradient at 0.
bool is_made_positive(const Tensor* tensor)
{
  return numeric::is_made_by(tensor, "abs") || numeric::squared(tensor) != nullptr;
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Operand x = is_root(call) ? numeric::operand(call, 0) : Operand();
    if (x.tensor == nullptr || !x.interval.is_known() ||
        !numeric::may_learn(numeric::result_of(call)) ||
        numeric::is_guarded(program, call, x.tensor)) {
      continue;
    }
    const double tiny = numeric::float_range(x.tensor).tiny;
    const bool negative = x.interval.low() < -tiny;
    const bool steep = x.interval.low() <= tiny && x.tensor->requires_grad == program::Truth::yes &&
                       numeric::depends_on_activations(x.tensor) && !is_whole_average(x.tensor) &&
                       !is_made_positive(x.tensor);
    if (!negative && !steep) {
      continue;
    }
    report.add(x.span, format("square root of {}", numeric::values_in(x.interval)))
        .label(negative ? "may be negative: the result is NaN"
                        : "may be 0: the gradient there is infinite")
        .help(negative ? "take `maximum(x, eps)` first"
                       : "add a small constant inside the root: `sqrt(x + 1e-8)`")
        .severity(numeric::severity_of(x.interval.high() < -tiny))
        .type(numeric::type_of(program, call))
        .cause(numeric::held(x.tensor));
  }
}

} // namespace

extern const Rule sqrt_of_zero{
    .name = "sqrt-of-zero",
    .summary = "Finds square roots of values that may be negative, or 0 where a gradient flows",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
