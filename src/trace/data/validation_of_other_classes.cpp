#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "validation-classes")) {
    const double share = setting(use->values, "share");
    if (!(share >= 0.5)) {
      continue;
    }
    report
        .at(*use,
            format("{:.0f} % of the validation data belong to classes that the training data lack",
                   100 * share))
        .evidence("`validationSplit` takes the last samples as they are, before any shuffling")
        .help("shuffle samples and labels together first");
  }
}

extern const Symptom validation_of_other_classes{
    .name = "validation-of-other-classes",
    .summary = "Finds validation data of classes that the training data lack",
    .type = "training/validation-testing/incorrect-train-test-data-split",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
