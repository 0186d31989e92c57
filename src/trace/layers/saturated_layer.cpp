#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const Layer* head = head_activation(trace);
  const Progress progress = progress_of(trace);
  for (const Layer* layer : trace.layers_in_order()) {
    const std::string activation = activation_of(*layer);
    const std::vector<TensorStats> recent = last_of(trace.series(layer->id, Role::output), 3);
    // At the end of a good classifier, saturation only means confidence.
    if (layer == head || (activation != "sigmoid" && activation != "tanh") || recent.empty() ||
        !std::ranges::all_of(recent,
                             [](const TensorStats& stats) { return stats.saturated > 0.5; })) {
      continue;
    }
    report
        .at(*layer,
            recent.front().step,
            format("{:.0f}% of the values of `{}` are at the ends of the range of {}",
                   100 * recent.back().saturated,
                   layer->name,
                   activation))
        .severity(progress.fails() ? Severity::warning : Severity::info)
        .evidence(
            format("in {} checks in a row, from step {} on", recent.size(), recent.front().step))
        .help("scale the inputs, or use ReLU: a saturated unit has almost no gradient");
  }
}

extern const Symptom saturated_layer{
    .name = "saturated-layer",
    .summary = "Finds hidden sigmoid or tanh layers that are saturated",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
