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
    const auto& outputs = trace.series(layer->id, Role::output);
    const std::vector<TensorStats> recent = last_of(outputs, 5);
    if (!activation.starts_with("relu") || recent.empty()) {
      continue;
    }
    double alive = 0;
    for (const TensorStats& stats : recent) {
      alive =
          std::max(alive, stats.units == 0 ? 1 : 1 - static_cast<double>(stats.dead) / stats.units);
    }
    if (alive >= 0.3) {
      continue;
    }
    const TensorStats& last = recent.back();
    // A wide layer may not need most of its units.
    const bool harms = alive < 0.02 || (alive < 0.1 && progress.fails());
    const bool from_start =
        outputs.front().units > 0 && outputs.front().dead > 0.7 * outputs.front().units;
    Draft& draft = report.at(*layer,
                             recent.front().step,
                             format("{} of {} units of `{}` give zero for every sample",
                                    last.dead,
                                    last.units,
                                    layer->name));
    draft.severity(harms ? Severity::warning : Severity::info)
        .evidence(
            format("in {} checks in a row, from step {} on", recent.size(), recent.front().step));
    if (layer == head) {
      draft.type("model/layers/activation-function/wrong-type-of-activation-function")
          .fix_pattern("activation")
          .help("a ReLU as the last layer cannot recover; end with a linear layer, sigmoid or "
                "softmax");
    } else if (from_start) {
      draft.type("model/model-type-and-properties/wrong-weights-initialisation")
          .fix_pattern("neural-connection")
          .help("dead from the start: check the initial weights and the scale of the inputs");
    } else {
      draft.help("the units died during training: lower the learning rate, or use LeakyReLU");
    }
  }
}

extern const Symptom dead_layer{
    .name = "dead-layer",
    .summary = "Finds layers most of whose units give zero for every sample",
    .type = "training/hyperparameters/suboptimal-learning-rate",
    .fix_pattern = "optimizer",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .explains = "TR015 TR018 TR024",
    .check = check,
};

} // namespace faultline::trace
