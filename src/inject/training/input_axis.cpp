#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Loss& loss : training_losses_of(code)) {
    const std::optional<Node> loop =
        enclosing(loss.call.node, {"for_statement", "while_statement"});
    for (const Call& call : code.calls()) {
      const bool is_model = call.callee.text() == "model" || call.callee.text() == "net" ||
                            call.name.starts_with("local.");
      if (loop && is_model && contains(*loop, call.node) && call.callee.kind() == "identifier" &&
          call.arguments.size() == 1 && !is_capitalised(call.callee.text())) {
        const Node& input = call.arguments.front().value;
        found.push_back(mutation({replace(input, bracketed(input) + ".unsqueeze(0)")},
                                 call.node.text(),
                                 ".unsqueeze(0)"));
      }
    }
  }
}

extern const Operator input_axis;
const Operator input_axis{
    .name = "wrong-input-axis",
    .acronym = "",
    .summary = "Gives the model inputs of a different shape",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/wrong-shape-of-input-data",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
