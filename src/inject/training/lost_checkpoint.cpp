#include "base/format.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const bool loads =
        call.name == "torch.load" || call.last() == "load_weights" || call.last() == "load_model";
    const Argument* path = loads ? call.find("f", 0) : nullptr;
    if (path != nullptr) {
      const std::optional<std::string> name = string_of(path->value);
      const std::string other = name ? format("\"missing-{}\"", *name)
                                     : format("str({}) + \".missing\"", path->value.text());
      rewrite(path->value, other, call.node, found);
    }
  }
}

extern const Operator lost_checkpoint;
const Operator lost_checkpoint{
    .name = "lose-checkpoint",
    .acronym = "",
    .summary = "Loads a checkpoint that does not exist",
    .type = "training/training-process/reference-to-non-existing-checkpoint",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
