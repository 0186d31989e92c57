#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "optimizer-never-steps")) {
    report.at(*use, "this optimizer never steps, so its parameters are never trained")
        .evidence(format("its {} parameters have gradients; other optimizers made {} steps",
                         number(setting(use->values, "parameters")),
                         number(setting(use->values, "steps"))))
        .help("call its step() after backward(), or give its parameters to the optimizer that "
              "steps");
  }
}

extern const Symptom optimizer_never_steps{
    .name = "optimizer-never-steps",
    .summary = "Finds an optimizer that never steps while another one does",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
