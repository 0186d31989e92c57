// Runs of a variant → what the variant showed.

#include "study/campaign_parts.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::study {

using campaign::Data;
using campaign::Run;
using campaign::Symptom;

bool ends_well(Symptom symptom)
{
  return symptom != Symptom::crash && symptom != Symptom::hang && symptom != Symptom::out_of_memory;
}

bool is_valid_metric(const Data& data, double value)
{
  if (!std::isfinite(value) || data.spec.metrics.empty()) {
    return false;
  }
  const campaign::Metric& metric = data.spec.metrics.front();
  return value >= metric.least.value_or(value) && value <= metric.most.value_or(value);
}

std::optional<double> first_metric(const Data& data, const Run& run)
{
  if (data.spec.metrics.empty()) {
    return std::nullopt;
  }
  const auto found = run.metrics.find(data.spec.metrics.front().name);
  if (found == run.metrics.end() || !is_valid_metric(data, found->second)) {
    return std::nullopt;
  }
  return found->second;
}

// The symptom that most runs show; of equally frequent ones the graver, which is the one that is
// declared first.
static Symptom most_frequent(const std::vector<const Run*>& runs)
{
  std::map<Symptom, size_t> counts;
  for (const Run* run : runs) {
    ++counts[run->symptom];
  }
  return std::ranges::max_element(counts,
                                  [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// The mean of what `value_of` gives for each run; nothing if it gives nothing for one of them.
template <typename F>
static std::optional<double> mean_of(const std::vector<const Run*>& runs, const F& value_of)
{
  double sum = 0;
  for (const Run* run : runs) {
    const std::optional<double> value = value_of(*run);
    if (!value) {
      return std::nullopt;
    }
    sum += *value;
  }
  return sum / static_cast<double>(runs.size());
}

static VariantOutcome outcome_of(const Data& data,
                                 const std::vector<const Run*>& runs,
                                 const std::map<int, double>& clean)
{
  VariantOutcome outcome;
  outcome.symptom = most_frequent(runs);
  outcome.runs = runs.size();
  outcome.runs_agree =
      std::ranges::all_of(runs, [&](const Run* r) { return r->symptom == outcome.symptom; });
  outcome.metric = mean_of(runs, [&](const Run& run) {
    return ends_well(run.symptom) ? first_metric(data, run) : std::nullopt;
  });
  outcome.seconds = mean_of(runs, [](const Run& run) {
    // What was never run has no time of its own.
    const bool ran = run.decision != campaign::Decision::same_value;
    return ran && ends_well(run.symptom) ? std::optional(run.cpu_seconds) : std::nullopt;
  });
  if (outcome.metric) {
    outcome.metric_difference = mean_of(runs, [&](const Run& run) -> std::optional<double> {
      const auto same_seed = clean.find(run.repeat);
      return same_seed == clean.end() ? std::nullopt
                                      : std::optional(*first_metric(data, run) - same_seed->second);
    });
  }
  return outcome;
}

std::vector<VariantOutcome> outcomes_of(const Data& data)
{
  std::map<std::string_view, std::vector<const Run*>> runs_of;
  for (const Run& run : data.runs) {
    runs_of[run.variant].push_back(&run);
  }
  std::map<int, double> clean;
  for (const Run& run : data.clean) {
    if (const std::optional<double> value = first_metric(data, run)) {
      clean.emplace(run.repeat, *value);
    }
  }
  std::vector<VariantOutcome> outcomes;
  for (size_t i = 0; i < data.variants.size(); ++i) {
    if (const auto runs = runs_of.find(data.variants[i].variant.id); runs != runs_of.end()) {
      outcomes.push_back(outcome_of(data, runs->second, clean));
      outcomes.back().variant = i;
    }
  }
  return outcomes;
}

} // namespace faultline::study
