#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const auto& evaluations = trace.evaluations();
  if (evaluations.empty() || !std::ranges::all_of(evaluations, [](const Evaluation& e) {
        return e.training_mode && e.batches > 0;
      })) {
    return; // some were done properly: the others may be wanted
  }
  report
      .at(evaluations.front().site,
          evaluations.front().step,
          "the model is evaluated in training mode")
      .evidence(format("{} evaluations with dropout or batch normalisation in training mode",
                       evaluations.size()))
      .help("call model.eval() before the evaluation and model.train() after it");
}

extern const Symptom evaluated_in_training_mode{
    .name = "evaluated-in-training-mode",
    .summary = "Finds evaluations with dropout or batch normalisation in training mode",
    .leaf = "A06",
    .fix = "AP",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
