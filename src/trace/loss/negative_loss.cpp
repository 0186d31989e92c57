#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const LossUse* use = trace.training_loss();
  if (use == nullptr || !is_never_negative(family_of(*use))) {
    return;
  }
  // Several losses may be added up: with another one beside it a negative sum proves nothing.
  for (const LossUse& other : trace.losses()) {
    if (other.kind != use->kind || other.site.line != use->site.line ||
        other.site.file != use->site.file) {
      if (!other.evaluating) {
        return;
      }
    }
  }
  const auto negative =
      std::ranges::find_if(trace.steps(), [](const Step& step) { return step.loss < -1e-4; });
  if (negative == trace.steps().end()) {
    return;
  }
  Draft& draft = report.at_run(
      negative->step,
      format("`{}` is {}, but cannot be below zero", use->kind, number(negative->loss)));
  if (use->prediction) {
    draft.evidence(format(
        "predictions from {} to {}", number(use->prediction->min), number(use->prediction->max)));
  }
  if (use->target) {
    draft.evidence(
        format("targets from {} to {}", number(use->target->min), number(use->target->max)));
  }
  const bool probabilities =
      use->prediction && use->prediction->min >= 0 && use->prediction->max <= 1;
  if (family_of(*use) == LossFamily::log_probabilities && probabilities) {
    draft.type("model/layers/activation-function/wrong-type-of-activation-function")
        .fix_pattern("activation")
        .help("the model gives probabilities: use log_softmax instead of softmax");
  } else {
    draft.help("check the range of predictions and targets, and what is added to the loss");
  }
}

extern const Symptom negative_loss{
    .name = "negative-loss",
    .summary = "Finds a loss below zero where that is impossible",
    .type = "training/loss-function/wrong-loss-function-calculation",
    .fix_pattern = "loss-function",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR019 TR018 TR021",
    .check = check,
};

} // namespace faultline::trace
