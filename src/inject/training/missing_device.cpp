#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Node& word : nodes_of(code.root(), "string")) {
    const std::optional<std::string> text = string_of(word);
    if (text == "cuda" || text == "cuda:0") {
      rewrite(word, "\"cuda:7\"", word, found);
    }
  }
}

extern const Operator missing_device;
const Operator missing_device{
    .name = "missing-device",
    .acronym = "",
    .summary = "Names a device that does not exist",
    .type = "gpu-usage/wrong-reference-to-gpu-device",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
