#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const LossUse* use = trace.training_loss();
  if (use == nullptr || use->step != 0 || !use->prediction || use->reduction == "sum" ||
      use->prediction->shape.size() != 2 || trace.steps().empty() ||
      trace.steps().front().step != 0) {
    return;
  }
  const LossFamily family = family_of(*use);
  if (family != LossFamily::logits && family != LossFamily::log_probabilities &&
      family != LossFamily::probabilities) {
    return;
  }
  const Step& first = trace.steps().front();
  const auto samples = static_cast<double>(use->prediction->shape[0]);
  const auto classes = static_cast<double>(use->prediction->shape[1]);
  const double guess = std::log(classes);
  if (classes < 2 || samples < 32 || !(first.loss > (samples >= 128 ? 3 : 5) * guess)) {
    return;
  }
  const bool summed = first.loss > 0.5 * samples * guess && first.loss < 2 * samples * guess;
  const bool suffers = progress_of(trace).fails() || has_broken_down(trace);
  if (!suffers && !trace.ended()) {
    return;
  }
  Draft& draft = report.at_run(
      0,
      format("the first loss is {}, while guessing gives {}", number(first.loss), number(guess)));
  draft.severity(suffers ? Severity::warning : Severity::info)
      .evidence(format("{} classes, {} samples", classes, samples));
  if (summed) {
    draft.type("training/loss-function/wrong-loss-function-calculation")
        .fix_pattern("loss-function")
        .help("average the loss over the batch instead of summing it");
  } else {
    draft.help("check the initial weights and the scale of the inputs: an untrained model "
               "should guess");
  }
}

extern const Symptom wrong_initial_loss{
    .name = "wrong-initial-loss",
    .summary = "Finds a classifier whose first loss is far above that of guessing",
    .type = "model/model-type-and-properties/wrong-weights-initialisation",
    .fix_pattern = "neural-connection",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
