#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    const bool is_transposed =
        layer.type.starts_with("ConvTranspose") || layer.type.ends_with("Transpose");
    const Argument* stride = layer.call.find("stride", 3);
    stride = stride == nullptr ? layer.call.find("strides", 2) : stride;
    if (!is_transposed || stride == nullptr || stride->value.text() == "1" ||
        layer.call.has_stars) {
      continue;
    }
    const Argument* padding =
        layer.call.find("output_padding", layer.framework == Framework::torch ? 5 : k_keyword_only);
    if (padding == nullptr) {
      found.push_back(mutation({add_argument(layer.call, "output_padding=1")},
                               layer.call.node.text(),
                               "output_padding=1"));
    } else if (padding->value.text() != "0") {
      found.push_back(
          mutation({replace(padding->value, "0")}, layer.call.node.text(), "output_padding=0"));
    }
  }
}

extern const Operator output_padding;
const Operator output_padding{
    .name = "change-output-padding",
    .acronym = "",
    .summary = "Pads the output of a transposed convolution differently",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
