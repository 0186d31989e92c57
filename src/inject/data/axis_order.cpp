#include "base/format.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const bool exchanges =
        (call.name == ".permute" || (call.name == ".transpose" && call.arguments.size() == 2)) &&
        !call.arguments.empty() && !call.has_stars;
    if (exchanges && code.uses("torch") && call.callee.child("object")->kind() == "identifier") {
      const std::string wrong =
          format("{}.reshape({}.shape)", call.callee.child("object")->text(), call.node.text());
      rewrite(call.node, wrong, call.node, found);
    }
  }
}

extern const Operator axis_order;
const Operator axis_order{
    .name = "reshape-for-permute",
    .acronym = "",
    .summary = "Reshapes where axes should be exchanged",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
