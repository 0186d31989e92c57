#include "inject/layers.hpp"
#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Loss& loss : training_losses_of(code)) {
    if (loss.kind == "CrossEntropyLoss") {
      const std::string twice = bracketed(loss.prediction) + ".softmax(dim=1)";
      rewrite(loss.prediction, twice, loss.call.node, found);
    }
  }
  for (const Activation& activation : activations_of(code)) {
    if (activation.of && activation.kind == "softmax" && activation.is_last) {
      const std::string again = code.spelled("keras.layers.Activation") + "(\"softmax\")";
      if (std::optional<std::vector<Edit>> edits = followed_by(code, *activation.of, again)) {
        found.push_back(mutation(std::move(*edits), activation.node.text(), again));
      }
    }
  }
}

extern const Operator double_softmax;
const Operator double_softmax{
    .name = "add-softmax",
    .acronym = "",
    .summary = "Gives probabilities to a loss that expects logits",
    .type = "model/layers/missing-redundant-wrong-layer/redundant-softmax-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
