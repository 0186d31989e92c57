#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <cmath>

namespace faultline::rules {

using numeric::Operand;

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Call* const exponential = numeric::hand_written_softmax(call);
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
    report.add(call.span, "softmax written out with an exponential that may overflow")
        .label(format("inf / inf is NaN once a score exceeds {:g}", std::floor(limit)))
        .help("use the library's softmax, or subtract the maximum first: `exp(x - max(x))`")
        .severity(overflows ? Severity::warning : Severity::info)
        .type(numeric::type_of(program, call))
        .cause(exponential);
  }
}

extern const Rule hand_written_softmax{
    .name = "hand-written-softmax",
    .summary = "Finds softmax written as exp(x) / sum(exp(x)) without a bound on x",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = numeric::k_known_formula,
    .check = check,
};

} // namespace faultline::rules
