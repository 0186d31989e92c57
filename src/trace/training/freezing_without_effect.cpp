#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "freezing-ignored")) {
    const double frozen = setting(use->values, "frozen");
    const double released = setting(use->values, "released");
    report
        .at(*use,
            frozen > 0 ? format("{} frozen layers are trained anyway", number(frozen))
                       : format("{} layers that were unfrozen are not trained", number(released)))
        .evidence("`trainable` was changed after `compile`, which had already collected the "
                  "weights to train")
        .help("call `compile` again after changing `trainable`");
  }
}

extern const Symptom freezing_without_effect{
    .name = "freezing-without-effect",
    .summary = "Finds layers that were frozen or unfrozen after compile()",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
