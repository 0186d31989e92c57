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
                            target ? "the labels have a different shape from the model's output"
                                   : "the data has a different shape from the one declared");
  if (target) {
    draft.type("model/layers/layer-properties/wrong-defined-output-shape")
        .help("give the last layer as many units as the labels have columns, or use a "
              "loss for class indices");
  } else {
    draft.help("set inputShape to the shape of one sample, without the batch");
  }
}

extern const Symptom declared_shape{
    .name = "declared-shape",
    .summary = "Finds data whose shape differs from the declared one",
    .type = "model/layers/layer-properties/wrong-defined-input-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
