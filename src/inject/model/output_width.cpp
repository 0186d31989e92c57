#include "inject/layers.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const Code code(subject);
  const std::vector<Layer> layers = layers_of(code);
  for (const Layer& layer : layers) {
    const Argument* width =
        layer.is({"Linear", "Dense"}) && is_output(layer, layers) ? layer.width() : nullptr;
    if (width == nullptr) {
      continue;
    }
    const std::optional<double> size = number_of(width->value);
    const std::string now = size ? python_number(*size) : bracketed(width->value);
    const bool is_more = setting == "more";
    if (!size && setting != "one") {
      const std::string other = now + (is_more ? " + 1" : " - 1");
      rewrite(width->value, other, layer.call.node, found);
      continue;
    }
    const std::string other = setting == "one" ? "1" : python_number(*size + (is_more ? 1 : -1));
    if (other != now && other != "0") {
      rewrite(width->value, other, layer.call.node, found);
    }
  }
}

extern const Operator output_width;
const Operator output_width{
    .name = "wrong-output-width",
    .acronym = "",
    .summary = "Changes the width of a model's output",
    .type = "model/layers/layer-properties/wrong-defined-output-shape",
    .level = Level::dl,
    .setting = {.name = "width", .values = {"more", "less", "one"}, .search = Search::exhaustive},
    .find = find,
};

} // namespace faultline::inject
