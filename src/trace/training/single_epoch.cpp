#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (!trace.end() || trace.end()->status != 0) {
    return;
  }
  // Only where the framework runs the loop is the number of epochs known.
  const LossUse* use = trace.training_loss();
  const bool fit = use != nullptr && (use->site.text.find(".fit(") != std::string::npos ||
                                      use->site.text.find(".fitDataset(") != std::string::npos);
  const bool told = std::ranges::any_of(trace.optimizers(), [](const Optimizer& optimizer) {
    return setting(optimizer.settings, "epochs") == 1;
  });
  const bool one_epoch =
      std::ranges::all_of(trace.steps(), [](const Step& step) { return step.epoch == 0; });
  const std::vector<double> losses = loss_windows(trace, 3);
  if (!(fit || told) || !one_epoch || losses.empty() || trace.steps().size() < 8) {
    return;
  }
  const std::vector<double> accuracies = accuracy_windows(trace, 3);
  const bool unfinished = accuracies.empty() || accuracies.back() < 0.85;
  if (losses[2] > 0 && losses[2] < 0.93 * losses[1] && unfinished) {
    report.at_run(last_step(trace), "training ends after one epoch, in the middle of learning")
        .evidence(format("loss {}, {} and {} in the thirds of the epoch",
                         number(losses[0]),
                         number(losses[1]),
                         number(losses[2])))
        .help("look at what is handed over as the number of epochs");
  }
}

extern const Symptom single_epoch{
    .name = "single-epoch",
    .summary = "Finds a fit of one epoch that ends in the middle of learning",
    .leaf = "H04",
    .fix = "IT",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .explains = "TR029",
    .check = check,
};

} // namespace faultline::trace
