#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <limits>

namespace faultline::trace {

namespace {

bool is_trained(const Layer& layer)
{
  return !layer.parameters.empty() && !layer.trainable.empty() &&
         std::ranges::find(layer.trainable, true) != layer.trainable.end() &&
         !layer.optimised.empty() &&
         std::ranges::find(layer.optimised, true) != layer.optimised.end();
}

// The largest gradient that any parameter of a layer has had.
double largest_gradient(const Trace& trace, const Layer& layer)
{
  double largest = -1; // none was seen
  for (size_t slot = 0; slot < std::min<size_t>(layer.parameters.size(), 255); ++slot) {
    for (const TensorStats& stats :
         trace.series(layer.id, Role::gradient, static_cast<uint8_t>(slot))) {
      largest = std::max(largest, stats.norm);
    }
  }
  return largest;
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  if (trace.checks().size() < 3 || trace.optimizers().size() != 1) {
    return; // with several optimizers each step trains a part only
  }
  // A layer may be left out for some steps.
  const uint32_t last = last_step(trace);
  const bool is_enough = trace.ended() || last >= 20;
  const bool is_plenty = trace.ended() || last >= 100;
  int first_reached = std::numeric_limits<int>::max(); // of the layers that get gradients
  for (const Layer* layer : trace.layers_in_order()) {
    if (largest_gradient(trace, *layer) > 0) {
      first_reached = std::min(first_reached, layer->order);
    }
  }
  if (first_reached == std::numeric_limits<int>::max()) {
    return; // nothing gets a gradient: that is a different fault
  }
  for (const auto& [id, layer] : trace.layers()) {
    if (!is_trained(layer)) {
      continue;
    }
    const double gradient = largest_gradient(trace, layer);
    // A gradient of zero is only strange if layers before it get one: else something behind it is
    // dead.
    const bool bypassed = is_enough && layer.called &&
                          (gradient < 0 || (gradient == 0 && first_reached < layer.order));
    const bool forgotten = is_plenty && !layer.called && gradient < 0;
    if (!bypassed && !forgotten) {
      continue;
    }
    Draft& draft =
        report.at(layer,
                  trace.checks()[2].step,
                  bypassed ? format("the output of `{}` does not reach the loss", layer.name)
                           : format("`{}` is part of the model but is never called", layer.name));
    draft
        .evidence(
            format("no gradient in {} checks, while other layers get one", trace.checks().size()))
        .help(bypassed
                  ? "look in forward() for the variable that holds its output, which is never read"
                  : "call it in forward(), or remove it from the model");
    if (is_normalisation(layer)) {
      draft.type("model/layers/missing-redundant-wrong-layer/missing-normalisation-layer");
    } else if (forgotten) {
      draft.type("api/missing-api-call").fix_pattern("api-contract");
    }
  }
}

extern const Symptom unused_layer{
    .name = "unused-layer",
    .summary = "Finds layers that have parameters but no influence on the loss",
    .type = "training/training-process/wrongly-implemented-back-propagation",
    .fix_pattern = "neural-connection",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
