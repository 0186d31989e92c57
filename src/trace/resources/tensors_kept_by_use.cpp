#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "tensors-kept")) {
    const double calls = setting(use->values, "calls"), kept = setting(use->values, "kept");
    if (!(kept >= calls)) {
      continue;
    }
    report
        .at(*use, format("each use of the model leaves {} tensors in memory", number(kept / calls)))
        .evidence(
            format("{} more tensors after {} calls from this line", number(kept), number(calls)))
        .help("wrap the use in `tf.tidy`, or dispose of inputs and results");
  }
}

extern const Symptom tensors_kept_by_use{
    .name = "tensors-kept-by-use",
    .summary = "Finds tensors that stay in memory each time a model is used",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
