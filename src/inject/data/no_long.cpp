#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.last() == "long" && call.callee.kind() == "attribute" && call.arguments.empty() &&
        code.uses("torch")) {
      drop_method(call, found);
    }
    const Argument* type = call.name.starts_with("torch.") ? call.find("dtype") : nullptr;
    const std::string name = type != nullptr ? code.resolve(type->value) : std::string();
    if (name == "torch.long" || name == "torch.int64") {
      const std::string other = code.spelled("torch.float32");
      rewrite(type->value, other, call.node, found);
    }
  }
}

extern const Operator no_long;
const Operator no_long{
    .name = "remove-long",
    .acronym = "",
    .summary = "Gives a loss labels of the wrong type",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
