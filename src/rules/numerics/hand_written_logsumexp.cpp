#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <cmath>

namespace faultline::rules {

using numeric::Operand;

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Call* const exponential = numeric::hand_written_logsumexp(call);
    if (exponential == nullptr || numeric::is_shifted_by_maximum(*exponential)) {
      continue;
    }
    const Operand x = numeric::operand(*exponential, 0);
    const double limit = numeric::float_range(x.tensor).log_huge;
    const bool is_bounded =
        x.interval.is_known() && x.interval.high() < limit && x.interval.low() > -limit;
    if (x.tensor == nullptr || is_bounded) {
      continue;
    }
    const bool overflows = x.interval.is_known() && numeric::may_learn(numeric::result_of(call));
    report.add(call.span, "logarithm of a sum of exponentials that may overflow")
        .label(format("inf once a value exceeds {:g}, -inf once all are below {:g}",
                      std::floor(limit),
                      -std::floor(limit)))
        .help(numeric::is_torch(call) ? "use `torch.logsumexp(x, dim)`"
                                      : "use `tf.reduce_logsumexp(x, axis)`")
        .severity(overflows ? Severity::warning : Severity::info)
        .type(numeric::type_of(program, call))
        .cause(exponential);
  }
}

extern const Rule hand_written_logsumexp{
    .name = "hand-written-logsumexp",
    .summary = "Finds log(sum(exp(x))) without a bound on x",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = numeric::k_known_formula,
    .check = check,
};

} // namespace faultline::rules
