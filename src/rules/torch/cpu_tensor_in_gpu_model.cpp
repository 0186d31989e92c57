#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/torch/devices.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const DeviceClash& clash : device_clashes(program)) {
    if (clash.source == nullptr) {
      continue;
    }
    report
        .add(clash.source->span,
             format("`{}` makes a tensor on the CPU that is used with others on a GPU",
                    written(program, *clash.source)))
        .label("no `device=`")
        .note(clash.problem->span, clash.problem->message)
        .help("make it where the others are: `device=x.device`")
        .cause(clash.problem->call);
  }
}

extern const Rule cpu_tensor_in_gpu_model{
    .name = "cpu-tensor-in-gpu-model",
    .summary = "Finds tensors that are made on the CPU in the middle of a computation on a GPU",
    .applies = "torch",
    .type = "gpu-usage/missing-destination-gpu-device",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 5,
    .check = check,
};

} // namespace faultline::rules
