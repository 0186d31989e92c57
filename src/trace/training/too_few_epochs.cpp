#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (!trace.end() || trace.end()->status != 0) {
    return;
  }
  std::map<uint32_t, std::pair<double, size_t>> epochs;
  for (const Step& step : trace.steps()) {
    if (std::isfinite(step.loss)) {
      epochs[step.epoch].first += step.loss;
      ++epochs[step.epoch].second;
    }
  }
  if (epochs.size() < 2) {
    return;
  }
  std::vector<double> losses;
  for (const auto& [epoch, sum] : epochs) {
    losses.push_back(sum.first / static_cast<double>(sum.second));
  }
  const double last = losses.back();
  const double before = losses[losses.size() - 2];
  const Progress progress = progress_of(trace);
  if (!(before > 0) || !(last < 0.95 * before) || progress.accuracy > 0.95) {
    return;
  }
  // Most demos stop early, so this is advice, not a fault.
  report.at_run(last_step(trace), "training ends while the loss is still falling")
      .severity(Severity::info)
      .evidence(format("loss {} in the last epoch, {} in the one before, of {} epochs",
                       number(last),
                       number(before),
                       losses.size()))
      .help("train for more epochs");
}

extern const Symptom too_few_epochs{
    .name = "too-few-epochs",
    .summary = "Finds a run that ends while the loss is still falling",
    .type = "training/hyperparameters/suboptimal-number-of-epochs",
    .fix_pattern = "iterations",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .check = check,
};

} // namespace faultline::trace
