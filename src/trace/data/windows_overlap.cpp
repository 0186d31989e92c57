#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  constexpr double k_fewest = 16, k_share = 0.2, k_known = 0.02;
  for (const Observation* use : observations_of(trace, "evaluation-windows")) {
    const double samples = setting(use->values, "samples");
    const double known = setting(use->values, "known"), close = setting(use->values, "neighbours");
    // Where many samples are known the program looks at its training data, which it may.
    if (!(samples >= k_fewest) || !(close >= k_share * samples) || known > k_known * samples) {
      continue;
    }
    report.at(*use, "the windows for evaluation overlap with windows that the model was trained on")
        .evidence(format("{1} of {0} windows are a training window moved by one step",
                         number(samples),
                         number(close)))
        .help("split the series by time first, then cut each part into windows");
  }
}

extern const Symptom windows_overlap{
    .name = "windows-overlap",
    .summary = "Finds evaluation windows of a series whose neighbours were trained on",
    .type = "training/validation-testing/incorrect-train-test-data-split",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
