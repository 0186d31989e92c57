#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const auto& evaluations = trace.evaluations();
  const Progress progress = progress_of(trace);
  if (evaluations.size() < 3 || !progress.known) {
    return;
  }
  const auto recent = std::span(evaluations).last(3);
  const bool rises = recent[0].loss < recent[1].loss && recent[1].loss < recent[2].loss &&
                     recent[2].loss > 1.2 * recent[0].loss && progress.last <= 1.05 * progress.best;
  const bool gap = progress.accuracy > 0.95 && recent[2].accuracy < progress.accuracy - 0.1;
  if (!rises && !gap) {
    return;
  }
  const bool grave = progress.accuracy > 0.97 && recent[2].accuracy < 0.6 &&
                     recent[1].accuracy < 0.6 && !has_regulariser(trace);
  report.at_run(recent[2].step, "the model gets better only on its training data")
      .severity(grave ? Severity::warning : Severity::info)
      .evidence(format("evaluation: loss {} to {}, accuracy {}",
                       number(recent[0].loss),
                       number(recent[2].loss),
                       number(recent[2].accuracy)))
      .evidence(format(
          "training: loss {}, accuracy {}", number(progress.last), number(progress.accuracy)))
      .help("stop earlier, add dropout or weight decay, or get more data");
}

extern const Symptom overfit{
    .name = "overfit",
    .summary = "Finds a model that overfits its training data",
    .type = "training/hyperparameters/missing-regularisation-loss-and-weight",
    .fix_pattern = "add-layer",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .check = check,
};

} // namespace faultline::trace
