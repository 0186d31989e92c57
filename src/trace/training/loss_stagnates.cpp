#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const Progress progress = progress_of(trace);
  const bool long_enough = last_step(trace) >= 200 || trace.ended();
  if (!progress.known || !long_enough || trace.checks().size() < 5 || last_step(trace) < 40) {
    return;
  }
  const double gain =
      progress.first == 0 ? 0 : (progress.first - progress.best) / std::abs(progress.first);
  const bool rises = progress.last > 1.05 * progress.first;
  if (gain > 0.02 || rises || progress.last < 1e-3) {
    return;
  }
  const LossUse* use = trace.training_loss();
  // Where there is neither an accuracy nor a target to compare with, a flat loss may be right.
  bool is_bad = progress.accuracy < 0.7;
  std::string level;
  if (std::isnan(progress.accuracy)) {
    const bool squared = use != nullptr && mentions(use->kind, {"mse", "squared"});
    const double spread = use != nullptr && use->target ? use->target->std * use->target->std : 0;
    is_bad = squared && spread > 0 && progress.last > 0.9 * spread;
    level = format("always predicting the mean of the targets has a loss of {}", number(spread));
  } else {
    level = format("accuracy {}", number(progress.accuracy));
  }
  if (is_bad) {
    report.at_run(last_step(trace), "the loss does not fall")
        .evidence(format("loss {} at the start, {} at step {}",
                         number(progress.first),
                         number(progress.last),
                         last_step(trace)))
        .evidence(level)
        .help("check labels, loss and last layer first, then try a learning rate ten times "
              "larger and smaller");
  }
}

extern const Symptom loss_stagnates{
    .name = "loss-stagnates",
    .summary = "Finds a loss that does not fall from the first step on",
    .type = "training/hyperparameters/suboptimal-learning-rate",
    .fix_pattern = "optimizer",
    .severity = Severity::warning,
    .confidence = Confidence::low,
    .check = check,
};

} // namespace faultline::trace
