#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const Argument* type = call.find("dtype");
    if (type == nullptr) {
      continue;
    }
    const std::string name = code.resolve(type->value);
    std::string other;
    if (name == "torch.float32" || name == "torch.float") {
      other = code.spelled("torch.float64");
    } else if (name == "numpy.float32") {
      other = code.spelled("numpy.float64");
    } else if (string_of(type->value) == "float32") {
      other = "\"float64\"";
    }
    if (!other.empty()) {
      rewrite(type->value, other, call.node, found);
    }
  }
}

extern const Operator wrong_dtype;
const Operator wrong_dtype{
    .name = "wrong-dtype",
    .acronym = "",
    .summary = "Keeps data in a different type",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
