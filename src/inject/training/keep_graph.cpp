#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const std::optional<Node> sum =
        call.last() == "item" ? enclosing(call.node, {"augmented_assignment"}) : std::nullopt;
    if (sum && code.uses("torch") &&
        call.callee.child("object")->text().find("loss") != std::string_view::npos) {
      drop_method(call, found);
    }
  }
}

extern const Operator keep_graph;
const Operator keep_graph{
    .name = "keep-graph",
    .acronym = "",
    .summary = "Keeps the graphs of all steps in memory",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
