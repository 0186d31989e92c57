#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <cmath>

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Call* const exponential = numeric::hand_written_logsumexp(call);
    const auto exponent =
        exponential != nullptr ? numeric::unbounded_exponent(call, *exponential) : std::nullopt;
    if (!exponent) {
      continue;
    }
    report.add(call.span, "logarithm of a sum of exponentials that may overflow")
        .label(format("inf once a value exceeds {:g}, -inf once all are below {:g}",
                      std::floor(exponent->limit),
                      -std::floor(exponent->limit)))
        .help(numeric::is_torch(call) ? "use `torch.logsumexp(x, dim)`"
                                      : "use `tf.reduce_logsumexp(x, axis)`")
        .severity(exponent->severity)
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
