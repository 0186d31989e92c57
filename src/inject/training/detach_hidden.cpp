#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const std::vector<Layer> layers = layers_of(code);
  for (const Layer& layer : layers) {
    const bool is_hidden = layer.framework == Framework::torch && layer.has_weights() &&
                           !is_output(layer, layers) && !layer.is({"LSTM", "GRU", "RNN"});
    if (is_hidden && layer.place == Layer::Place::named && layer.uses.size() == 1) {
      const Node& use = layer.uses.front().node;
      found.push_back(mutation({insert_behind(use, ".detach()")}, use.text(), ".detach()"));
    }
  }
}

extern const Operator detach_hidden;
const Operator detach_hidden{
    .name = "detach-hidden-layer",
    .acronym = "",
    .summary = "Cuts the gradient behind a hidden layer",
    .type = "training/training-process/wrong-calculation-of-the-gradients-for-backpropagation",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
