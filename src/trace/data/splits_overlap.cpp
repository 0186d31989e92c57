#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "splits-overlap")) {
    report
        .at(*use,
            format("the model was trained on {} of the {} samples that it is evaluated on",
                   number(setting(use->values, "shared")),
                   number(setting(use->values, "samples"))))
        .evidence(format("the training set has {} samples", number(setting(use->values, "others"))))
        .help("split one permutation of the data, or use `random_split`");
  }
}

extern const Symptom splits_overlap{
    .name = "splits-overlap",
    .summary = "Finds training and evaluation sets that share samples",
    .type = "training/validation-testing/incorrect-train-test-data-split",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
