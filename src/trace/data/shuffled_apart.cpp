#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "shuffled-apart")) {
    report.at(*use, "two arrays of the same length are shuffled independently")
        .evidence(format("{} elements each, one call after the other",
                         number(setting(use->values, "length"))))
        .help("shuffle them together: `tf.util.shuffleCombo(samples, labels)`");
  }
}

extern const Symptom shuffled_apart{
    .name = "shuffled-apart",
    .summary = "Finds samples and labels that are shuffled independently",
    .type = "training/training-data-quality/wrong-labels-for-training-data",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
