#include "trace/crash.hpp"
#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::index_range) {
    return;
  }
  const Crash& crash = *trace.crash();
  const bool target = mentions(crash.message, {"target ", "class values"}) ||
                      mentions(crash.operation, {"cross_entropy", "nll_loss"});
  const Layer* layer = trace.layer(crash.layer);
  Draft& draft =
      report_crash_at_layer(trace,
                            report,
                            target ? "a label is larger than the number of outputs allows"
                                   : "an index is larger than the table has rows");
  if (target) {
    draft.type("model/layers/layer-properties/wrong-defined-output-shape")
        .help("give the last layer an output for every class, or number the labels from 0");
  } else if (layer != nullptr && is_embedding(*layer)) {
    draft
        .evidence(
            format("the table has {} rows", number(setting(layer->settings, "num_embeddings"))))
        .help("make the table as large as the largest index plus one, padding and unknown words "
              "included");
  } else if (mentions(crash.operation, {"embedding"}) ||
             mentions(crash.message, {"in self", "gather", "is not in [0"})) {
    draft.help("make the table as large as the largest index plus one, padding and unknown words "
               "included");
  } else {
    draft.type("tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape")
        .fix_pattern("data-dimension")
        .help("check the range of the index and the axis");
  }
}

extern const Symptom index_beyond_table{
    .name = "index-beyond-table",
    .summary = "Finds an index beyond the end of a table of embeddings or classes",
    .type = "model/layers/layer-properties/wrong-defined-input-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
