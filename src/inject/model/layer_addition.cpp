#include "base/format.hpp"
#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const Code code(subject);
  const std::vector<Layer> layers = layers_of(code);
  for (const Layer& layer : layers) {
    const bool is_hidden = layer.has_weights() && !is_output(layer, layers) &&
                           !layer.is({"LSTM", "GRU", "RNN", "SimpleRNN", "Embedding"});
    if (!is_hidden || layer.width() == nullptr) {
      continue;
    }
    std::string other;
    if (setting == "activation") {
      other = layer.framework == Framework::torch
                  ? code.spelled("torch.nn.Tanh") + "()"
                  : code.spelled("keras.layers.Activation") + "(\"tanh\")";
    } else if (setting == "normalisation" && layer.framework == Framework::keras) {
      other = code.spelled("keras.layers.BatchNormalization") + "()";
    } else if (setting == "normalisation" && layer.place == Layer::Place::item &&
               !layer.type.starts_with("ConvTranspose")) {
      const std::string dimensions =
          layer.type == "Linear" ? "1" : layer.type.substr(layer.type.size() - 2, 1);
      other = format("{}({})",
                     code.spelled("torch.nn.BatchNorm" + dimensions + "d"),
                     layer.width()->value.text());
    }
    std::optional<std::vector<Edit>> edits =
        other.empty() ? std::nullopt : followed_by(code, layer, other);
    if (edits) {
      found.push_back(mutation(std::move(*edits), layer.call.node.text(), other));
    }
  }
}

extern const Operator layer_addition;
const Operator layer_addition{
    .name = "add-layer",
    .acronym = "LAs",
    .summary = "Adds an activation or a normalisation behind a layer",
    .type = "model/layers/missing-redundant-wrong-layer",
    .level = Level::dl,
    .setting = {.name = "layer",
                .values = {"activation", "normalisation"},
                .search = Search::exhaustive},
    .find = find,
};

} // namespace faultline::inject
