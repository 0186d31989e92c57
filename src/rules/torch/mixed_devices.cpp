#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/torch/devices.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const DeviceClash& clash : device_clashes(program)) {
    if (clash.source != nullptr) {
      continue; // cpu-tensor-in-gpu-model
    }
    const program::Problem& problem = *clash.problem;
    Draft& draft = report.add(problem.span, problem.message);
    draft.help(!problem.help.empty() ? problem.help : "move both to the same device first");
    if (problem.call != nullptr) {
      draft.cause(problem.call);
    }
    for (const program::Problem::Remark& note : problem.notes) {
      draft.note(note.span, note.text);
    }
  }
}

extern const Rule mixed_devices{
    .name = "mixed-devices",
    .summary = "Finds models, inputs and targets on different devices",
    .applies = "torch",
    .type = "gpu-usage/missing-transfer-of-data-to-gpu",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
