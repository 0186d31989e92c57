#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const std::vector<double> parts = loss_windows(trace, 20);
  const Progress progress = progress_of(trace);
  if (parts.empty() || !progress.fails() || last_step(trace) < 100) {
    return;
  }
  const auto late = std::span(parts).subspan(6); // AUTOTRAINER's judgement point
  const auto [low, high] = std::ranges::minmax(late);
  const double range = high - low;
  size_t swings = 0;
  for (size_t i = 1; i + 1 < late.size(); ++i) {
    const bool turns = (late[i] - late[i - 1]) * (late[i + 1] - late[i]) < 0;
    swings += turns && std::abs(late[i] - late[i - 1]) > 0.3 * range ? 1 : 0;
  }
  if (swings >= 5 && range > 0.3 * std::abs(progress.first)) {
    report.at_run(last_step(trace), "the loss oscillates without getting lower")
        .severity(Severity::info)
        .evidence(format("{} turning points in the last two thirds, between {} and {}",
                         swings,
                         number(low),
                         number(high)))
        .help("lower the learning rate, or use larger batches");
  }
}

extern const Symptom loss_oscillates{
    .name = "loss-oscillates",
    .summary = "Finds a loss that oscillates without getting lower",
    .type = "training/hyperparameters/suboptimal-learning-rate",
    .fix_pattern = "optimizer",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .check = check,
};

} // namespace faultline::trace
