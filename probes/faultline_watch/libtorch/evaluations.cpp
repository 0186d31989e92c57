#include "evaluations.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace faultline_watch {

static double mean_of(const std::vector<double>& values)
{
  return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

void Evaluations::layer_called(int layer)
{
  if (m_batches == 0) {
    m_first = layer;
    m_stack = program_stack();
  }
  m_batches += layer == m_first ? 1 : 0;
}

void Evaluations::loss_seen(double loss, double accuracy)
{
  m_losses.push_back(loss);
  if (!std::isnan(accuracy)) {
    m_accuracies.push_back(accuracy);
  }
}

void Evaluations::tell(Stream& stream, uint32_t step)
{
  if (m_batches > 0) {
    Object event;
    stream.event("evaluation",
                 event.whole("step", step)
                     .number("loss", mean_of(m_losses))
                     .number("accuracy", mean_of(m_accuracies))
                     .whole("batches", m_batches)
                     .flag("training_mode", m_training_mode)
                     .raw("site", site_of(m_stack, /*outside_of_model=*/true)));
  }
  *this = Evaluations();
}

} // namespace faultline_watch
