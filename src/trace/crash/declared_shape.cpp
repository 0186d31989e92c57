#include "trace/crash.hpp"
#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::declared_shape) {
    return;
  }
  const Crash& crash = *trace.crash();
  const bool target = mentions(crash.message, {"checking target"});
  Draft& draft =
      report_crash_at_layer(trace,
                            report,
                            target ? "the labels have another shape than the model's output"
                                   : "the data has another shape than the model was told");
  if (target) {
    draft.type("model/layers/layer-properties/wrong-defined-output-shape")
        .help("give the last layer as many units as the labels have columns, or use a "
              "loss for class numbers");
  } else {
    draft.help("set inputShape to the shape of one sample, without the batch");
  }
}

extern const Symptom declared_shape{
    .name = "declared-shape",
    .summary = "Finds data of another shape than the model was told",
    .type = "model/layers/layer-properties/wrong-defined-input-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
