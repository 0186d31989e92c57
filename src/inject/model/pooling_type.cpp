#include "base/format.hpp"
#include "inject/layers.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const bool is_layer =
        call.name.starts_with("torch.nn.") || call.name.starts_with("keras.layers.");
    std::string type(call.last());
    if (!is_layer || call.name.find("()") != std::string::npos) {
      continue;
    }
    bool is_pool = false;
    for (const auto& [one, other] : {std::pair{"MaxPool", "AvgPool"},
                                     {"max_pool", "avg_pool"},
                                     {"MaxPooling", "AveragePooling"}}) {
      const std::string_view a = one;
      const std::string_view b = other;
      const std::string rest = type.starts_with(a)   ? type.substr(a.size())
                               : type.starts_with(b) ? type.substr(b.size())
                                                     : "?";
      if (!is_pool && (rest == "1d" || rest == "2d" || rest == "3d" || rest == "1D" ||
                       rest == "2D" || rest == "3D")) {
        type = format("{}{}", type.starts_with(a) ? b : a, rest);
        is_pool = true;
      }
    }
    // Only one of them knows these.
    const bool is_plain = call.find("dilation") == nullptr &&
                          call.find("return_indices") == nullptr &&
                          call.find("count_include_pad") == nullptr;
    if (is_pool && is_plain) {
      const std::string name =
          code.spelled(call.name.substr(0, call.name.size() - call.last().size()) + type);
      rewrite(call.callee, name, call.node, found);
    }
  }
}

extern const Operator pooling_type;
const Operator pooling_type{
    .name = "swap-pooling",
    .acronym = "",
    .summary = "Pools with the mean instead of the maximum, or vice versa",
    .type = "model/layers/missing-redundant-wrong-layer/wrong-type-of-pooling-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
