// Variants with something in common: their symptoms and their boxes.

#include "inject/operator.hpp"
#include "stats/box_plot.hpp"
#include "stats/two_samples.hpp"
#include "study/campaign_parts.hpp"

#include <algorithm>

namespace faultline::study {

using campaign::Symptom;

void SymptomCounts::add(Symptom symptom)
{
  ++total;
  ++counts[symptom];
}

size_t SymptomCounts::of(Symptom symptom) const
{
  const auto found = counts.find(symptom);
  return found == counts.end() ? 0 : found->second;
}

static double share_of(size_t part, size_t whole)
{
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

double SymptomCounts::share(Symptom symptom) const
{
  return share_of(of(symptom), total);
}

size_t SymptomCounts::ended_well() const
{
  size_t sum = 0;
  for (const auto& [symptom, count] : counts) {
    sum += ends_well(symptom) ? count : 0;
  }
  return sum;
}

double SymptomCounts::ended_well_share() const
{
  return share_of(ended_well(), total);
}

std::string_view name_of(Grouping grouping)
{
  return grouping == Grouping::op ? "operator" : "phase";
}

std::string_view name_of(Quantity quantity)
{
  return quantity == Quantity::metric ? "metric" : "seconds";
}

std::string operator_label(std::string_view code)
{
  const inject::Operator* op = inject::find_operator(code);
  if (op == nullptr) {
    return std::string(code);
  }
  return std::string(op->acronym.empty() ? op->name : op->acronym);
}

std::optional<Box> box_of(std::span<const double> values)
{
  if (values.empty()) {
    return std::nullopt;
  }
  const stats::BoxPlot plot = stats::box_plot(values);
  return Box{.count = values.size(),
             .mean = stats::mean(values),
             .minimum = plot.minimum,
             .lower_whisker = plot.lower_whisker,
             .lower_quartile = plot.lower_quartile,
             .median = plot.median,
             .upper_quartile = plot.upper_quartile,
             .upper_whisker = plot.upper_whisker,
             .maximum = plot.maximum,
             .outliers_below = plot.below.size(),
             .outliers_above = plot.above.size()};
}

static std::optional<double> value_of(const VariantOutcome& outcome, Quantity quantity)
{
  return quantity == Quantity::metric ? outcome.metric : outcome.seconds;
}

std::vector<double>
values_of(const CampaignAnalysis& analysis, std::span<const size_t> members, Quantity quantity)
{
  std::vector<double> values;
  for (const size_t member : members) {
    if (const auto value = value_of(analysis.outcomes[member], quantity)) {
      values.push_back(*value);
    }
  }
  return values;
}

std::vector<double> clean_values(const campaign::Data& data, Quantity quantity)
{
  std::vector<double> values;
  for (const campaign::Run& run : data.clean) {
    if (quantity == Quantity::seconds) {
      values.push_back(run.cpu_seconds);
    } else if (const auto value = first_metric(data, run)) {
      values.push_back(*value);
    }
  }
  return values;
}

Group group_of(const CampaignAnalysis& analysis, std::span<const size_t> members)
{
  Group group;
  for (const size_t member : members) {
    const VariantOutcome& outcome = analysis.outcomes[member];
    group.symptoms.add(outcome.symptom);
    if (outcome.metric_difference) {
      ++group.comparable;
      group.unchanged += *outcome.metric_difference == 0 ? 1 : 0;
    }
  }
  group.metric = box_of(values_of(analysis, members, Quantity::metric));
  group.seconds = box_of(values_of(analysis, members, Quantity::seconds));
  return group;
}

Group clean_group(const campaign::Data& data)
{
  Group group;
  group.key = "clean";
  group.label = "clean";
  group.title = "the program without any change";
  for (const campaign::Run& run : data.clean) {
    group.symptoms.add(run.symptom);
  }
  group.metric = box_of(clean_values(data, Quantity::metric));
  group.seconds = box_of(clean_values(data, Quantity::seconds));
  return group;
}

std::vector<std::string> keys_of(const campaign::VariantRecord& record, Grouping grouping)
{
  return grouping == Grouping::op ? std::vector{record.variant.op} : record.phases;
}

std::vector<std::pair<std::string, std::vector<size_t>>>
members_by(const CampaignAnalysis& analysis, Grouping grouping)
{
  std::map<std::string, std::vector<size_t>> groups;
  for (size_t i = 0; i < analysis.outcomes.size(); ++i) {
    const campaign::VariantRecord& record = analysis.record_of(analysis.outcomes[i]);
    for (const std::string& key : keys_of(record, grouping)) {
      groups[key].push_back(i);
    }
  }
  std::vector<std::pair<std::string, std::vector<size_t>>> ordered;
  const auto take = [&](const std::string& key) {
    if (auto found = groups.extract(key)) {
      ordered.emplace_back(found.key(), std::move(found.mapped()));
    }
  };
  if (grouping == Grouping::phase) {
    for (const campaign::Phase& phase : analysis.data.spec.phases) {
      take(phase.name);
    }
  }
  while (!groups.empty()) {
    take(groups.begin()->first);
  }
  return ordered;
}

} // namespace faultline::study
