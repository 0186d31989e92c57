#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "winner-over-batch")) {
    const double samples = setting(use->values, "samples");
    const double classes = setting(use->values, "classes");
    if (!(classes > 1)) {
      continue;
    }
    report
        .at(*use,
            "argMax over axis 0 of the model's output looks for the best sample, not the best "
            "class")
        .evidence(samples == 1 ? "the batch has one sample, so the result is always 0"
                               : format("the output has {} samples and {} classes",
                                        number(samples),
                                        number(classes)))
        .help("the classes are the last axis: `argMax(-1)`");
  }
}

extern const Symptom argmax_over_batch{
    .name = "argmax-over-batch",
    .summary = "Finds argMax over the samples of a batch instead of its classes",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
