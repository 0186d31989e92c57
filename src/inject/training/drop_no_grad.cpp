#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.is_any({"torch.no_grad", "torch.inference_mode"})) {
      const std::string name = code.spelled("torch.enable_grad");
      rewrite(call.callee, name, call.node, found);
    }
  }
}

extern const Operator drop_no_grad;
const Operator drop_no_grad{
    .name = "remove-no-grad",
    .acronym = "",
    .summary = "Records gradients while evaluating",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
