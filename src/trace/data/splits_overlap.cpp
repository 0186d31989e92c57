#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "splits-overlap")) {
    report
        .at(*use,
            format("{} of the {} samples that the model is evaluated on it was trained on",
                   number(setting(use->values, "shared")),
                   number(setting(use->values, "samples"))))
        .evidence(
            format("the part for training has {} samples", number(setting(use->values, "others"))))
        .help("make the parts from one permutation, or with `random_split`");
  }
}

extern const Symptom splits_overlap{
    .name = "splits-overlap",
    .summary = "Finds parts for training and evaluation that share samples",
    .type = "training/validation-testing/incorrect-train-test-data-split",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
