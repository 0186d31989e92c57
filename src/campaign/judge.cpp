#include "campaign/judge.hpp"

#include "stats/box_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace faultline::campaign {

constexpr double k_whisker = 1.5;        // of a box plot, in distances between the quartiles
constexpr double k_time_tolerance = .25; // of the median: less is what a machine does by itself

static std::pair<double, double> box_of(std::vector<double> values)
{
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) {
    // Nothing is known of what is normal, so nothing is beyond it.
    const double infinity = std::numeric_limits<double>::infinity();
    return {-infinity, infinity};
  }
  std::ranges::sort(values);
  const double low = stats::quantile(values, .25);
  const double high = stats::quantile(values, .75);
  const double reach = k_whisker * (high - low);
  return {std::min(low - reach, values.front()), std::max(high + reach, values.back())};
}

Bounds bounds_of(std::span<const Run> clean, const Spec& spec)
{
  std::vector<double> metrics;
  std::vector<double> seconds;
  for (const Run& run : clean) {
    const auto found =
        spec.metrics.empty() ? run.metrics.end() : run.metrics.find(spec.metrics.front().name);
    if (found != run.metrics.end()) {
      metrics.push_back(found->second);
    }
    seconds.push_back(run.cpu_seconds);
  }
  Bounds bounds;
  std::tie(bounds.least_metric, bounds.most_metric) = box_of(std::move(metrics));
  std::tie(bounds.least_seconds, bounds.most_seconds) = box_of(seconds);
  if (!seconds.empty()) {
    std::ranges::sort(seconds);
    const double middle = stats::quantile(seconds, .5);
    bounds.least_seconds = std::min(bounds.least_seconds, middle * (1 - k_time_tolerance));
    bounds.most_seconds = std::max(bounds.most_seconds, middle * (1 + k_time_tolerance));
  }
  return bounds;
}

// NaN is looked for in all metrics before their ranges are: the order of the enumeration counts.
static std::optional<Symptom> judge_values(const Run& run, const Spec& spec)
{
  std::optional<Symptom> found;
  for (const Metric& metric : spec.metrics) {
    const auto value = run.metrics.find(metric.name);
    if (value == run.metrics.end()) {
      found = Symptom::invalid_metric;
    } else if (!std::isfinite(value->second)) {
      return Symptom::not_a_number;
    } else if ((metric.least && value->second < *metric.least) ||
               (metric.most && value->second > *metric.most)) {
      found = Symptom::invalid_metric;
    }
  }
  return found;
}

Symptom judge(const Run& run, const Bounds& bounds, const Spec& spec)
{
  if (run.symptom == Symptom::crash || run.symptom == Symptom::hang ||
      run.symptom == Symptom::out_of_memory) {
    return run.symptom;
  }
  if (const std::optional<Symptom> wrong = judge_values(run, spec)) {
    return *wrong;
  }
  if (!spec.metrics.empty()) {
    const Metric& first = spec.metrics.front();
    const double value = run.metrics.at(first.name);
    if (value < bounds.least_metric) {
      return first.higher_is_better ? Symptom::degraded : Symptom::improved;
    }
    if (value > bounds.most_metric) {
      return first.higher_is_better ? Symptom::improved : Symptom::degraded;
    }
  }
  if (run.decision == Decision::same_value) {
    return Symptom::normal; // it was not run: its time is nobody's
  }
  if (run.cpu_seconds > bounds.most_seconds) {
    return Symptom::slower;
  }
  return run.cpu_seconds < bounds.least_seconds ? Symptom::faster : Symptom::normal;
}

} // namespace faultline::campaign
