#include "report/watch_lost.hpp"

#include "base/format.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace faultline::report {

namespace {

bool has_lost_numbers(const trace::Trace& trace)
{
  return !trace.non_finites().empty() ||
         std::ranges::any_of(
             trace.steps(), [](double loss) { return std::isinf(loss); }, &trace::Step::loss) ||
         std::ranges::any_of(trace.all_series(), [](const auto& entry) {
           return std::ranges::any_of(entry.second, is_lost);
         });
}

// Puts steps together; they come in order.
class Stretches {
public:
  void add(uint32_t step, bool lost)
  {
    if (lost && !m_open) {
      m_stretches.push_back({.first = step});
    }
    if (lost) {
      m_stretches.back().last = step;
    }
    m_open = lost;
  }

  std::vector<LostStretch> take()
  {
    if (m_open) {
      m_stretches.back().to_the_end = true;
    }
    return std::move(m_stretches);
  }

private:
  std::vector<LostStretch> m_stretches;
  bool m_open = false;
};

} // namespace

bool is_lost(const trace::TensorStats& stats)
{
  return stats.nan + stats.inf > 0;
}

bool is_loss_lost(const trace::Trace& trace, const trace::Step& step)
{
  return std::isinf(step.loss) || (std::isnan(step.loss) && has_lost_numbers(trace));
}

std::string word_of_lost(const trace::TensorStats& stats)
{
  return stats.nan > 0 ? "nan" : "inf";
}

std::vector<LostStretch> lost_losses(const trace::Trace& trace)
{
  const bool believed = has_lost_numbers(trace);
  Stretches stretches;
  for (const trace::Step& step : trace.steps()) {
    stretches.add(step.step, std::isinf(step.loss) || (believed && std::isnan(step.loss)));
  }
  return stretches.take();
}

std::vector<LostStretch> lost_checks(const trace::Trace& trace, int layer)
{
  std::map<uint32_t, bool> lost_at;
  for (const auto& [key, series] : trace.all_series()) {
    if (key.layer == layer && key.role != trace::Role::input) {
      for (const trace::TensorStats& stats : series) {
        lost_at[stats.step] |= is_lost(stats);
      }
    }
  }
  Stretches stretches;
  for (const auto& [step, lost] : lost_at) {
    stretches.add(step, lost);
  }
  return stretches.take();
}

std::string print_stretch(const LostStretch& stretch)
{
  if (stretch.to_the_end) {
    return format("not finite from step {} on", stretch.first);
  }
  return stretch.first == stretch.last
             ? format("not finite at step {}", stretch.first)
             : format("not finite at steps {} to {}", stretch.first, stretch.last);
}

} // namespace faultline::report
