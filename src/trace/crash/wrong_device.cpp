#include "trace/crash.hpp"
#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::device) {
    return;
  }
  const Crash& crash = *trace.crash();
  Draft& draft = report_crash(trace, report, "a tensor is on the wrong device for this operation");
  if (mentions(crash.message, {"to numpy", "expects device type: cpu"})) {
    draft.type("gpu-usage/gpu-tensor-is-used-instead-of-cpu-tensor")
        .help("move the tensor to the CPU first: tensor.cpu()");
  } else if (mentions(crash.message,
                      {"not compiled with cuda",
                       "gpus are available",
                       "nvidia driver",
                       "invalid device ordinal",
                       "deserialize"})) {
    draft.type("gpu-usage/wrong-reference-to-gpu-device")
        .help("choose the device with torch.cuda.is_available(), and pass map_location to "
              "torch.load");
  } else {
    draft.help("move model and data to the same device");
  }
}

extern const Symptom wrong_device{
    .name = "wrong-device",
    .summary = "Finds the tensor that is on the wrong device for an operation",
    .type = "gpu-usage/missing-transfer-of-data-to-gpu",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
