#include "inject/layers.hpp"

namespace faultline::inject {

// A convolution keeps the size if half the kernel is padded on either side.
static bool keeps_size(const Layer& layer)
{
  const Argument* kernel = layer.call.find("kernel_size", 2);
  const Argument* stride = layer.call.find("stride", 3);
  const Argument* padding = layer.call.find("padding", 4);
  if (kernel == nullptr || (stride != nullptr && stride->value.text() != "1") ||
      layer.type.starts_with("ConvTranspose")) {
    return false;
  }
  if (padding != nullptr && string_of(padding->value) == "same") {
    return true;
  }
  const std::optional<double> size = number_of(kernel->value);
  const double around = padding != nullptr ? number_of(padding->value).value_or(-1) : 0;
  return size && *size == 2 * around + 1 && layer.call.find("dilation", 5) == nullptr;
}

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const std::vector<Layer> layers = layers_of(code);
  const Layer* before = nullptr;
  for (const Layer& layer : layers) {
    const Argument* out = layer.has_weights() ? layer.width() : nullptr;
    if (out == nullptr || layer.is({"LSTM", "GRU", "RNN", "SimpleRNN", "Embedding"})) {
      continue;
    }
    bool is_square = false;
    if (layer.framework == Framework::torch) {
      const Argument* in = layer.input_width();
      is_square = in != nullptr && in->value.text() == out->value.text() &&
                  (layer.type == "Linear" || keeps_size(layer));
    } else {
      // Keras does not say what comes in: the layer before says what went out.
      is_square = layer.type == "Dense" && before != nullptr && before->owner == layer.owner &&
                  before->type == "Dense" && before->width()->value.text() == out->value.text();
    }
    before = &layer;
    if (!is_square) {
      continue;
    }
    if (std::optional<std::vector<Edit>> edits = without(code, layer)) {
      found.push_back(mutation(std::move(*edits), layer.call.node.text(), ""));
    }
  }
}

extern const Operator layer_removal;
const Operator layer_removal{
    .name = "remove-layer",
    .acronym = "LR",
    .summary = "Removes a layer whose output is shaped like its input",
    .type = "model/layers/missing-redundant-wrong-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
