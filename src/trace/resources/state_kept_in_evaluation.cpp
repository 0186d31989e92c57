#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "state-kept")) {
    report
        .at(*use, "the state that is handed from call to call keeps the graph of every call before")
        .evidence(format("{} calls in evaluation mode, with gradients recorded, and no backward()",
                         number(setting(use->values, "calls"))))
        .help("generate under `torch.no_grad()` or `torch.inference_mode()`");
  }
}

extern const Symptom state_kept_in_evaluation{
    .name = "state-kept-in-evaluation",
    .summary = "Finds generation that hands its state on together with a graph that grows",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
