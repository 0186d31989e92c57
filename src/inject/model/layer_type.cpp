#include "inject/layers.hpp"
#include "inject/rewrites.hpp"

#include <algorithm>
#include <array>

namespace faultline::inject {

// Class here, other class. A plain recurrent layer gives what a GRU gives; an LSTM gives a pair.
static constexpr auto k_others = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"torch.nn.GRU", "torch.nn.RNN"},
    {"torch.nn.LSTM", "torch.nn.GRU"},
    {"torch.nn.Conv1d", "torch.nn.Conv2d"},
    {"torch.nn.Conv2d", "torch.nn.Conv1d"},
    {"torch.nn.BatchNorm2d", "torch.nn.BatchNorm1d"},
    {"torch.nn.BatchNorm1d", "torch.nn.InstanceNorm1d"},
    {"keras.layers.LSTM", "keras.layers.SimpleRNN"},
    {"keras.layers.GRU", "keras.layers.SimpleRNN"},
    {"keras.layers.Conv1D", "keras.layers.Conv2D"},
    {"keras.layers.Conv2D", "keras.layers.Conv1D"},
});

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    const auto other = std::ranges::find(k_others,
                                         std::string_view(layer.call.name),
                                         &std::pair<std::string_view, std::string_view>::first);
    if (other != k_others.end()) {
      const std::string name = code.spelled(other->second);
      rewrite(layer.call.callee, name, layer.call.node, found);
    }
  }
}

extern const Operator layer_type;
const Operator layer_type{
    .name = "swap-layer-type",
    .acronym = "",
    .summary = "Uses a different kind of layer",
    .type = "model/layers/missing-redundant-wrong-layer/wrong-layer-type",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
