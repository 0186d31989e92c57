#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <cmath>

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Call* const exponential = numeric::hand_written_softmax(call);
    const auto exponent =
        exponential != nullptr ? numeric::unbounded_exponent(call, *exponential) : std::nullopt;
    if (!exponent) {
      continue;
    }
    report.add(call.span, "softmax written out with an exponential that may overflow")
        .label(format("inf / inf is NaN once a score exceeds {:g}", std::floor(exponent->limit)))
        .help("use the library's softmax, or subtract the maximum first: `exp(x - max(x))`")
        .severity(exponent->severity)
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
