#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const Argument* shuffle = call.find("shuffle");
    if (shuffle != nullptr && shuffle->value.text() == "True") {
      found.push_back(
          mutation({replace(shuffle->value, "False")}, shuffle->whole.text(), "shuffle=False"));
    } else if (call.is_any({"random.shuffle", "numpy.random.shuffle"})) {
      drop_statement(code, call, found);
    }
  }
}

extern const Operator no_shuffle;
const Operator no_shuffle{
    .name = "remove-shuffle",
    .acronym = "",
    .summary = "No longer shuffles the training data",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
