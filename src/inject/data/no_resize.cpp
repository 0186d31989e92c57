#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.name == "torchvision.transforms.Resize" && call.node.parent()->kind() == "list") {
      found.push_back(mutation({remove_item(call.node)}, call.node.text(), ""));
    } else if (call.is_any({"tensorflow.image.resize", "cv2.resize"})) {
      unwrap(call, found);
    }
  }
}

extern const Operator no_resize;
const Operator no_resize{
    .name = "remove-resize",
    .acronym = "",
    .summary = "No longer resizes images",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
