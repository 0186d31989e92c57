#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const LossUse* use : training_losses(trace)) {
    const bool is_divergence = use->kind == "kl_div" && use->prediction;
    if (!is_divergence || !(use->prediction->min >= 0) || !(use->prediction->max > 0)) {
      continue;
    }
    const bool swapped = use->target && use->target->max <= 0 && use->target->min < 0;
    report
        .at(use->site,
            use->step,
            swapped ? "the arguments of the divergence are swapped"
                    : "the divergence is given probabilities where it expects their logarithms")
        .evidence(format("the first argument ranges from {} to {}",
                         number(use->prediction->min),
                         number(use->prediction->max)))
        .help("`kl_div(log_q, p)`: first the model's log-probabilities, `log_softmax`");
    return;
  }
}

extern const Symptom divergence_arguments{
    .name = "divergence-arguments",
    .summary = "Finds divergences of probabilities where logarithms are expected",
    .type = "training/loss-function/wrong-loss-function-calculation",
    .fix_pattern = "loss-function",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR030",
    .check = check,
};

} // namespace faultline::trace
