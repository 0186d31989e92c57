#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "optimizer-never-steps")) {
    report.at(*use, "this optimizer never steps, so what it has is never trained")
        .evidence(format("its {} parameters have gradients; others were stepped {} times",
                         number(setting(use->values, "parameters")),
                         number(setting(use->values, "steps"))))
        .help("call its step() after backward(), or hand its parameters to the optimizer that "
              "steps");
  }
}

extern const Symptom optimizer_never_steps{
    .name = "optimizer-never-steps",
    .summary = "Finds an optimizer that is made and never stepped beside one that is",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
