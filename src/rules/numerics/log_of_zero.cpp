#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const auto x = numeric::unsafe_logarithm(program, call);
    if (!x || numeric::hand_written_logsumexp(call) != nullptr) {
      continue;
    }
    const bool certain = x->interval.high() <= numeric::float_range(x->tensor).tiny;
    Draft& draft =
        report
            .add(x->span,
                 format("`{}` of {}", written(program, call), numeric::values_in(x->interval)))
            .label(x->interval.low() < 0 ? "may be negative: the result is NaN"
                                         : "may be 0: the result is -inf")
            .help("keep it away from 0 with `clamp`, `clip` or `maximum`, or add a small constant "
                  "to values that are not negative")
            .severity(numeric::severity_of(certain))
            .type(numeric::type_of(program, call))
            .cause(numeric::danger_origin(x->tensor));
    const Call* const source = numeric::maker(x->tensor);
    if (source != nullptr && !call.span.contains(source->span)) {
      draft.note(source->span, "its values come from here");
    }
  }
}

extern const Rule log_of_zero{
    .name = "log-of-zero",
    .summary = "Finds logarithms of values that may be 0 or negative",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = numeric::k_plain_operation,
    .check = check,
};

} // namespace faultline::rules
