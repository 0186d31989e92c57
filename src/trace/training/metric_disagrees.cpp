#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const std::vector<double> losses = loss_windows(trace, 10);
  const std::vector<double> accuracies = accuracy_windows(trace, 10);
  if (losses.empty() || accuracies.empty() || last_step(trace) < 50) {
    return;
  }
  const double gain = accuracies.back() - accuracies.front();
  const double best = std::ranges::max(accuracies);
  if (losses.front() > 0 && losses.back() < 0.3 * losses.front() && gain < 0.02 && best < 0.6) {
    report.at_run(last_step(trace), "the loss falls but the accuracy does not rise")
        .evidence(format("loss {} to {}, accuracy {} to {}",
                         number(losses.front()),
                         number(losses.back()),
                         number(accuracies.front()),
                         number(accuracies.back())))
        .help("the loss rewards something other than right predictions; use one made for classes");
  }
}

extern const Symptom metric_disagrees{
    .name = "metric-disagrees",
    .summary = "Finds an accuracy that does not rise while the loss falls",
    .type = "training/loss-function/wrong-selection-of-loss-function",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::low,
    .check = check,
};

} // namespace faultline::trace
