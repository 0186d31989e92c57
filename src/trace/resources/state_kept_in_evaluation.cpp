#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "state-kept")) {
    report.at(*use, "the state passed from call to call keeps the graph of every earlier call")
        .evidence(format("{} calls in evaluation mode, with gradients recorded, and no backward()",
                         number(setting(use->values, "calls"))))
        .help("generate under `torch.no_grad()` or `torch.inference_mode()`");
  }
}

extern const Symptom state_kept_in_evaluation{
    .name = "state-kept-in-evaluation",
    .summary = "Finds generation that passes on its state together with a growing graph",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
