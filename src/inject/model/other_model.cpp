#include "inject/rewrites.hpp"

#include <array>

namespace faultline::inject {

// Family, its smallest member, where.
static constexpr auto k_smallest = std::to_array<std::array<std::string_view, 3>>({
    {"resnet", "resnet18", "torchvision.models."},
    {"vgg", "vgg11", "torchvision.models."},
    {"densenet", "densenet121", "torchvision.models."},
    {"efficientnet_b", "efficientnet_b0", "torchvision.models."},
    {"ResNet", "ResNet50", "keras.applications."},
    {"DenseNet", "DenseNet121", "keras.applications."},
    {"EfficientNetB", "EfficientNetB0", "keras.applications."},
    {"VGG", "VGG16", "keras.applications."},
});

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    for (const auto& [family, smallest, where] : k_smallest) {
      // A digit follows: `resnet50`, but not `resnext50`.
      const bool is_one = call.name.starts_with(where) && call.last().starts_with(family) &&
                          call.last() != smallest && call.last().size() > family.size() &&
                          call.last()[family.size()] >= '0' && call.last()[family.size()] <= '9';
      if (is_one) {
        const std::string name = code.spelled(std::string(where) + std::string(smallest));
        rewrite(call.callee, name, call.callee, found);
      }
    }
  }
}

extern const Operator other_model;
const Operator other_model{
    .name = "swap-model",
    .acronym = "",
    .summary = "Builds a smaller model of the same family",
    .type = "model/model-type-and-properties/wrong-selection-of-model",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
