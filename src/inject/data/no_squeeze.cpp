#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.name == ".squeeze" && code.uses("torch")) {
      drop_method(call, found);
    } else if (call.is_any({"torch.squeeze", "tensorflow.squeeze"})) {
      unwrap(call, found);
    }
  }
}

extern const Operator no_squeeze;
const Operator no_squeeze{
    .name = "remove-squeeze",
    .acronym = "",
    .summary = "No longer removes an axis of size one",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
