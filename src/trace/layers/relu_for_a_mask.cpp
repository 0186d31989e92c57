#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const Layer* head = head_activation(trace);
  if (head == nullptr || activation_of(*head) != "relu") {
    return;
  }
  for (const LossUse* use : training_losses(trace)) {
    if (!use->prediction || !use->target) {
      continue;
    }
    const TensorFacts& target = *use->target;
    const bool binary = target.min == 0 && target.max == 1 && target.distinct.value_or(2) == 2 &&
                        target.fraction.value_or(0) == 0;
    if (!binary || use->prediction->shape != target.shape || !(use->prediction->max > 1.5)) {
      continue;
    }
    report.at(*head, use->step, "the last layer is a ReLU, but the targets are 0 or 1")
        .evidence(format("predictions up to {}", number(use->prediction->max)))
        .help("use sigmoid: an overlap or a probability above one has no meaning");
    return;
  }
}

extern const Symptom relu_for_a_mask{
    .name = "relu-for-a-mask",
    .summary = "Finds a ReLU as the last layer where targets are 0 or 1",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .explains = "TR030 TR024 TR013",
    .check = check,
};

} // namespace faultline::trace
