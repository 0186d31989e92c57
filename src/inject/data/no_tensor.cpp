#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.is_any({"torch.from_numpy", "torch.tensor", "torch.as_tensor"}) &&
        !call.arguments.empty() && call.arguments.front().value.kind() == "identifier") {
      unwrap(call, found);
    }
  }
}

extern const Operator no_tensor;
const Operator no_tensor{
    .name = "remove-tensor-conversion",
    .acronym = "",
    .summary = "Leaves an array where a tensor is needed",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/incompatible-tensor-type",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
