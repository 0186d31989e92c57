#include "trace/crash.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::element_count) {
    return;
  }
  const bool in_layer = trace.layer(trace.crash()->layer) != nullptr;
  Draft& draft = report_crash(trace, report, "a reshape changes the number of elements");
  draft.help("the product of the sizes has to stay the same; use -1 for one of them");
  if (in_layer && trace.start().framework == "tfjs") {
    draft.type("model/layers/layer-properties/wrong-defined-output-shape")
        .fix_pattern("layer-dimension");
  }
}

extern const Symptom reshape_element_count{
    .name = "reshape-element-count",
    .summary = "Finds a reshape that changes the number of elements",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
