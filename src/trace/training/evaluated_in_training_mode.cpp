#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void tell(Draft& draft, double evaluations)
{
  draft
      .evidence(format("{} evaluations with dropout or batch normalisation in training mode",
                       number(evaluations)))
      .help("call model.eval() before the evaluation and model.train() after it");
}

static void check(const Trace& trace, Reporter& report)
{
  const auto& evaluations = trace.evaluations();
  if (!std::ranges::all_of(evaluations,
                           [](const Evaluation& e) { return e.training_mode && e.batches > 0; })) {
    return; // some were done properly: the others may be wanted
  }
  constexpr const char* k_message = "the model is evaluated in training mode";
  if (!evaluations.empty()) {
    const Evaluation& first = evaluations.front();
    tell(report.at(first.site, first.step, k_message), static_cast<double>(evaluations.size()));
    return;
  }
  for (const Observation* use : observations_of(trace, "evaluated-in-training")) {
    tell(report.at(*use, k_message), setting(use->values, "passes"));
  }
}

extern const Symptom evaluated_in_training_mode{
    .name = "evaluated-in-training-mode",
    .summary = "Finds evaluations with dropout or batch normalisation in training mode",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
