#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

namespace {

bool targets_move(const Trace& trace)
{
  const std::vector<const LossUse*> uses = training_losses(trace);
  if (uses.size() < 2 || !uses.front()->target || !uses.back()->target) {
    return false;
  }
  const double first = uses.front()->target->std;
  const double last = uses.back()->target->std;
  return !(last < 3 * first && first < 3 * last);
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  const Progress progress = progress_of(trace);
  const std::vector<double> parts = loss_windows(trace, 10);
  if (!progress.known || parts.empty() || progress.first <= 0 || trace.optimizers().size() > 1) {
    return; // two optimizers may compete, as in adversarial training
  }
  // Targets that a program computes itself, as in reinforcement learning, may grow with the model.
  const LossUse* use = trace.training_loss();
  const LossFamily family = use == nullptr ? LossFamily::unknown : family_of(*use);
  const bool classes = family != LossFamily::difference && is_never_negative(family);
  const double factor = classes ? 2 : 10;
  const auto tail = std::span(parts).last(3);
  const bool stays_high = std::ranges::all_of(tail, [&progress, factor](double loss) {
    return loss > factor * progress.first && loss > factor * progress.best;
  });
  if (stays_high && (classes || !targets_move(trace))) {
    report.at_run(last_step(trace), "the loss diverges")
        .severity(family == LossFamily::unknown ? Severity::info : Severity::warning)
        .evidence(format("loss {} at the start, {} at best, {} at step {}",
                         number(progress.first),
                         number(progress.best),
                         number(progress.last),
                         last_step(trace)))
        .help("lower the learning rate");
  }
}

extern const Symptom loss_diverges{
    .name = "loss-diverges",
    .summary = "Finds a loss that rises above where it started",
    .type = "training/hyperparameters/suboptimal-learning-rate",
    .fix_pattern = "optimizer",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .explains = "TR018 TR020",
    .check = check,
};

} // namespace faultline::trace
