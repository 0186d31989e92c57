#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const Layer* head = head_activation(trace);
  if (head == nullptr || activation_of(*head) != "sigmoid") {
    return;
  }
  for (const LossUse* use : training_losses(trace)) {
    if (family_of(*use) == LossFamily::binary_logits && use->prediction &&
        use->prediction->min >= 0 && use->prediction->max <= 1) {
      report
          .at(*head,
              use->step,
              format("`{}` applies sigmoid itself, but is given its result", use->kind))
          .evidence(format("predictions from {} to {}",
                           number(use->prediction->min),
                           number(use->prediction->max)))
          .help("pass the raw output of the last layer to the loss");
      return;
    }
  }
}

extern const Symptom sigmoid_before_logits_loss{
    .name = "sigmoid-before-logits-loss",
    .summary = "Finds a sigmoid in front of a loss that applies it itself",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR018 TR021 TR024",
    .check = check,
};

} // namespace faultline::trace
