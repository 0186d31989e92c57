#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

// Whether the probe knows this about the layer.
static bool says(const Layer& layer, std::string_view key, bool value)
{
  const auto found = layer.settings.find(key);
  return found != layer.settings.end() && found->is_boolean() && found->get<bool>() == value;
}

static void check(const Trace& trace, Reporter& report)
{
  if (trace.checks().size() < 3 || trace.optimizers().empty()) {
    return;
  }
  const std::vector<const Layer*> layers = trace.layers_in_order();
  const auto none_optimised = [](const Layer* layer) {
    return !layer->optimised.empty() &&
           std::ranges::find(layer->optimised, true) == layer->optimised.end();
  };
  const auto some_optimised = [](const Layer* layer) {
    return std::ranges::find(layer->optimised, true) != layer->optimised.end();
  };
  const auto first_optimised = std::ranges::find_if(layers, some_optimised);
  if (first_optimised == layers.end()) {
    return;
  }
  for (auto it = layers.begin(); it != layers.end(); ++it) {
    const Layer& layer = **it;
    const bool trainable = std::ranges::find(layer.trainable, true) != layer.trainable.end();
    const auto& gradients = trace.series(layer.id, Role::gradient);
    if (!none_optimised(*it) || !trainable || gradients.size() < 3 ||
        !(gradients.back().norm > 0)) {
      continue;
    }
    // Training the last layers of a finished model only is usual. One that was not loaded is not
    // finished.
    const bool is_base = it < first_optimised && !says(layer, "loaded", false);
    Draft& draft =
        report
            .at(layer,
                gradients.front().step,
                format("`{}` gets gradients, but no optimizer has its parameters", layer.name))
            .severity(is_base ? Severity::info : Severity::warning)
            .evidence(format("norm of its gradient at step {}: {}",
                             gradients.back().step,
                             number(gradients.back().norm)))
            .help("give all parameters to the optimizer, after the model is complete");
    if (says(layer, "registered", false)) {
      const bool is_cpp = trace.start().framework == "libtorch";
      draft.type("api/missing-api-call")
          .help(is_cpp ? "call register_module for it, so that parameters() of the "
                         "model lists its parameters"
                       : "a module does not see layers in a list or a dict: keep "
                         "them in nn.ModuleList, or as attributes");
    }
  }
}

extern const Symptom parameters_not_optimised{
    .name = "parameters-not-optimised",
    .summary = "Finds layers that get gradients but whose parameters no optimizer has",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
