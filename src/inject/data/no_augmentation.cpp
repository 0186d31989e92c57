#include "inject/patterns.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const bool is_random = (call.name.starts_with("torchvision.transforms.") ||
                            call.name.starts_with("keras.layers.")) &&
                           (call.last().starts_with("Random") || call.last() == "ColorJitter");
    // A random crop also gives the size that the model wants.
    if (is_random && call.last().find("Crop") == std::string_view::npos &&
        call.node.parent()->kind() == "list") {
      found.push_back(mutation({remove_item(call.node)}, call.node.text(), ""));
    }
  }
}

extern const Operator no_augmentation;
const Operator no_augmentation{
    .name = "remove-augmentation",
    .acronym = "",
    .summary = "No longer augments the training data",
    .type = "training/training-process/missing-data-augmentation",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
