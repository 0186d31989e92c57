#include "base/format.hpp"
#include "base/text.hpp"
#include "inject/layers.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (!number_of(setting)) {
    return;
  }
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    const bool is_conv = layer.type.starts_with("Conv") && !layer.type.starts_with("ConvTranspose");
    const Argument* size =
        is_conv ? layer.call.find("kernel_size", layer.framework == Framework::torch ? 2 : 1)
                : nullptr;
    if (size == nullptr || size->value.text() == setting) {
      continue;
    }
    const bool is_tuple = size->value.kind() == "tuple";
    const size_t axes = is_tuple ? size->value.named_children().size() : 1;
    const std::string sizes = join(std::vector(axes, std::string(setting)), ", ");
    const std::string other = is_tuple ? format("({})", sizes) : sizes;
    if (other != size->value.text()) {
      rewrite(size->value, other, layer.call.node, found);
    }
  }
}

extern const Operator kernel_size;
const Operator kernel_size{
    .name = "change-kernel-size",
    .acronym = "",
    .summary = "Changes the filter size of a convolution",
    .type = "model/layers/layer-properties/wrong-filter-size-for-a-convolutional-layer",
    .level = Level::dl,
    .setting = {.name = "size",
                .values = {"5", "1", "7"},
                .search = Search::exhaustive,
                .range = k_count},
    .find = find,
};

} // namespace faultline::inject
