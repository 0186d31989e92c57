#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const auto found = std::ranges::find_if(trace.optimizers(), [](const Optimizer& optimizer) {
    return mentions(optimizer.kind, {"adam"}) && !(setting(optimizer.settings, "eps") > 1e-7) &&
           !(setting(optimizer.settings, "epsilon") > 1e-7);
  });
  if (found == trace.optimizers().end() || !progress_of(trace).known) {
    return;
  }
  // A spike: from below a millionth of the first loss up by a factor of a hundred, within 50 steps.
  const double first = progress_of(trace).first;
  double low = first;
  uint32_t low_step = 0;
  uint32_t first_spike = 0;
  double highest = 0;
  size_t spikes = 0;
  for (const Step& step : trace.steps()) {
    if (!std::isfinite(step.loss) || step.loss < 0) {
      continue;
    }
    if (low < 1e-6 * first && step.loss > 100 * low && step.loss > 1e-6 * first &&
        step.step - low_step <= 50) {
      first_spike = spikes == 0 ? step.step : first_spike;
      highest = std::max(highest, step.loss);
      ++spikes;
      low = step.loss;
      low_step = step.step;
    } else if (step.loss < low || step.step - low_step > 50) {
      low = step.loss;
      low_step = step.step;
    }
  }
  if (spikes >= 2) {
    report
        .at(found->site,
            first_spike,
            "Adam throws the loss up again and again after it was nearly zero")
        .evidence(
            format("{} jumps by a factor of a hundred and more, up to {}", spikes, number(highest)))
        .help("raise eps: near an optimum it is the only brake on the quotient of two vanishing "
              "moments");
  }
}

extern const Symptom adam_epsilon_spikes{
    .name = "adam-epsilon-spikes",
    .summary = "Finds Adam throwing a loss that was nearly zero up again and again",
    .leaf = "O02",
    .fix = "OP",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .explains = "TR019 TR020",
    .check = check,
};

} // namespace faultline::trace
