#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/head.hpp"

#include <algorithm>
#include <array>

namespace faultline::rules {

static bool narrows(const Call& activation)
{
  constexpr std::array<std::string_view, 7> k_ops = {
      "softmax", "sigmoid", "hard_sigmoid", "relu", "relu6", "tanh", "hard_tanh"};
  return std::ranges::find(k_ops, activation.op()) != k_ops.end();
}

static bool is_cross_entropy(program::LossKind kind)
{
  return is_categorical(kind) || kind == program::LossKind::binary;
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    if (use.wants != program::LossInput::logits || !is_cross_entropy(use.kind)) {
      continue;
    }
    const Call* activation = head_of(use.prediction).activation;
    if (activation == nullptr || !narrows(*activation)) {
      continue;
    }
    const bool is_probability = activation->is("softmax") || activation->is("sigmoid");
    report
        .add(activation->span,
             format("{} expects logits, but they went through {}",
                    loss_words(program, use),
                    activation->op()))
        .note(use.span, "the loss is given here")
        .help(is_probability
                  ? "pass the raw scores to the loss; apply the activation when predicting"
                  : "end the model with a layer without activation")
        .type(is_probability
                  ? FaultType("model/layers/missing-redundant-wrong-layer/redundant-softmax-layer")
                  : FaultType("model/layers/activation-function/wrong-type-of-activation-function"))
        .cause(&use);
  }
}

extern const Rule activation_before_logits_loss{
    .name = "activation-before-logits-loss",
    .summary = "Finds an activation in front of a loss that expects logits",
    .applies = "any",
    .type = "model/layers/missing-redundant-wrong-layer/redundant-softmax-layer",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .rank = 5,
    .check = check,
};

} // namespace faultline::rules
