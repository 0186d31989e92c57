#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Tensor* labels = labels_of(use);
    // Keras aligns both, and PyTorch's binary cross entropy refuses.
    if (use.framework != "torch" || !is_distance(use.kind) || labels == nullptr ||
        use.prediction == nullptr) {
      continue;
    }
    const program::Shape& a = use.prediction->shape;
    const program::Shape& b = labels->shape;
    const program::Broadcast both = program::broadcast(a, b);
    if (!both.both_grow || both.outcome == program::Broadcast::Outcome::impossible) {
      continue;
    }
    const bool prediction_is_wide = a.rank() > b.rank();
    report
        .add(use.span,
             format("outputs of shape {} against labels of shape {} compare each with all",
                    a.text(),
                    b.text()))
        .label(format("broadcast to {}", both.shape.text()))
        .help(prediction_is_wide ? "drop the last axis of the outputs with `squeeze(1)`, or add "
                                   "one to the labels with `unsqueeze(1)`"
                                 : "give both the same shape, with `squeeze` or `unsqueeze`")
        .cause(label_cause(use));
  }
}

extern const Rule loss_broadcasts{
    .name = "loss-broadcasts",
    .summary = "Finds an element-wise loss whose two sides broadcast against each other",
    .applies = "torch",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "data-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
