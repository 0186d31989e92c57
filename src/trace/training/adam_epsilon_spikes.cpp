#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace faultline::trace {

namespace {

// The recent loss as a median: one hard batch does not change it.
class RunningMedian {
public:
  void add(double loss)
  {
    m_losses[m_count % m_losses.size()] = loss;
    ++m_count;
  }
  bool is_known() const { return m_count >= m_losses.size(); }
  double value() const
  {
    auto sorted = m_losses;
    const auto middle = sorted.begin() + sorted.size() / 2;
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }

private:
  std::array<double, 10> m_losses{};
  size_t m_count = 0;
};

struct Spikes {
  size_t count = 0;
  uint32_t first_step = 0;
  double highest = 0;
};

// A spike: from below a hundred-thousandth of the first loss up by a factor of a hundred, within 50
// steps, and it lasts. A loss of exactly zero is that of a margin that every sample keeps.
Spikes find_spikes(const Trace& trace, double first)
{
  Spikes found;
  RunningMedian lately;
  double low = first;
  uint32_t low_step = 0;
  for (const Step& step : trace.steps()) {
    if (!std::isfinite(step.loss) || step.loss < 0) {
      continue;
    }
    lately.add(step.loss);
    if (!lately.is_known()) {
      continue;
    }
    const double loss = lately.value();
    const bool recent = step.step - low_step <= 50;
    if (recent && low > 0 && low < 1e-5 * first && loss > 100 * low && loss > 1e-6 * first) {
      found.first_step = found.count == 0 ? step.step : found.first_step;
      found.highest = std::max(found.highest, loss);
      ++found.count;
      low = loss;
      low_step = step.step;
    } else if (loss < low || !recent) {
      low = loss;
      low_step = step.step;
    }
  }
  return found;
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  const auto found = std::ranges::find_if(trace.optimizers(), [](const Optimizer& optimizer) {
    return mentions(optimizer.kind, {"adam"}) && !(setting(optimizer.settings, "eps") > 1e-7) &&
           !(setting(optimizer.settings, "epsilon") > 1e-7);
  });
  const Progress progress = progress_of(trace);
  if (found == trace.optimizers().end() || !progress.known) {
    return;
  }
  const Spikes spikes = find_spikes(trace, progress.first);
  if (spikes.count >= 2) {
    report
        .at(found->site,
            spikes.first_step,
            "with Adam, the loss spikes again and again after it was nearly zero")
        .evidence(format(
            "{} times, the loss over ten steps rose by a factor of a hundred or more, up to {}",
            spikes.count,
            number(spikes.highest)))
        .help("raise eps: near an optimum, only eps limits the quotient of two vanishing "
              "moments");
  }
}

extern const Symptom adam_epsilon_spikes{
    .name = "adam-epsilon-spikes",
    .summary = "Finds spikes of a nearly zero loss that Adam causes again and again",
    .type = "training/optimiser/epsilon-for-adam-optimiser-too-low",
    .fix_pattern = "optimizer",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .explains = "TR019 TR020",
    .check = check,
};

} // namespace faultline::trace
