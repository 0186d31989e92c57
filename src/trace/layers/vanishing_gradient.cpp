#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

namespace {

std::vector<const Layer*> layers_with_gradients(const Trace& trace)
{
  std::vector<const Layer*> layers = trace.layers_in_order();
  std::erase_if(layers, [&trace](const Layer* layer) {
    return !is_learning(*layer) || last_of(trace.series(layer->id, Role::gradient), 3).empty();
  });
  return layers;
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  const std::vector<const Layer*> layers = layers_with_gradients(trace);
  const Progress progress = progress_of(trace);
  if (layers.size() < 3 || !progress.fails()) {
    return;
  }
  const std::vector<TensorStats> first =
      last_of(trace.series(layers.front()->id, Role::gradient), 3);
  const std::vector<TensorStats> last = last_of(trace.series(layers.back()->id, Role::gradient), 3);
  for (size_t i = 0; i < 3; ++i) {
    // Exactly zero is a different symptom: an unused layer.
    if (!(first[i].norm > 0 && first[i].norm < 1e-4 && first[i].norm < 1e-3 * last[i].norm)) {
      return;
    }
  }
  const bool squashes = std::ranges::any_of(trace.layers(), [](const auto& entry) {
    const std::string activation = activation_of(entry.second);
    return activation == "sigmoid" || activation == "tanh";
  });
  Draft& draft =
      report.at(*layers.front(),
                first.front().step,
                format("the gradient vanishes before it reaches `{}`", layers.front()->name));
  draft.evidence(format("norm {} in `{}`, {} in `{}`",
                        number(first.back().norm),
                        layers.front()->name,
                        number(last.back().norm),
                        layers.back()->name));
  if (squashes) {
    draft.help("use ReLU inside the model: sigmoid and tanh shrink the gradient at every layer");
  } else {
    draft.type("model/layers/missing-redundant-wrong-layer/missing-normalisation-layer")
        .fix_pattern("add-layer")
        .help("normalise between the layers, or add skip connections");
  }
}

extern const Symptom vanishing_gradient{
    .name = "vanishing-gradient",
    .summary = "Finds gradients that vanish on their way to the first layers",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .explains = "TR018",
    .check = check,
};

} // namespace faultline::trace
