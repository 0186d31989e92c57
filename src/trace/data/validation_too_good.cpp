#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const auto& evaluations = trace.evaluations();
  const auto& layers = trace.layers();
  const bool dropout =
      std::ranges::any_of(layers, [](const auto& entry) { return is_dropout(entry.second); });
  if (evaluations.size() < 4 || dropout) {
    return; // dropout makes training look worse than it is
  }
  for (const Evaluation& evaluation : std::span(evaluations).last(3)) {
    // The training accuracy just before: an average over the epoch would lag behind.
    double sum = 0;
    size_t n = 0;
    for (const Step& step : trace.steps()) {
      if (step.step < evaluation.step && step.step + 20 >= evaluation.step &&
          !std::isnan(step.accuracy)) {
        sum += step.accuracy;
        ++n;
      }
    }
    if (n < 3 || !(evaluation.accuracy > sum / static_cast<double>(n) + 0.1)) {
      return;
    }
  }
  report
      .at(evaluations.back().site,
          evaluations.back().step,
          "the evaluations are much better than training")
      .evidence(format("accuracy {} in the last evaluation", number(evaluations.back().accuracy)))
      .help("make sure that the test data is not part of the training data and not easier");
}

extern const Symptom validation_too_good{
    .name = "validation-too-good",
    .summary = "Finds evaluations that are much better than training",
    .type = "training/validation-testing/incorrect-train-test-data-split",
    .fix_pattern = "data-wrangling",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .check = check,
};

} // namespace faultline::trace
