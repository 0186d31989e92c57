#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.name == "cv2.cvtColor") {
      unwrap(call, found);
    } else if (call.last() == "convert" && call.arguments.size() == 1 &&
               string_of(call.arguments.front().value) == "RGB") {
      drop_method(call, found);
    }
  }
}

extern const Operator pixel_encoding;
const Operator pixel_encoding{
    .name = "keep-pixel-encoding",
    .acronym = "",
    .summary = "No longer converts the encoding of pixels",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
