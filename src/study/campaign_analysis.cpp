#include "study/campaign_analysis.hpp"

#include "inject/operator.hpp"
#include "study/campaign_parts.hpp"

#include <algorithm>
#include <numeric>

namespace faultline::study {

using campaign::Symptom;

std::string_view name_of(Verdict verdict)
{
  switch (verdict) {
  case Verdict::held:
    return "held";
  case Verdict::not_held:
    return "did not hold";
  case Verdict::undecided:
    return "cannot be told";
  }
  return {};
}

std::string_view name_of(Wording wording)
{
  switch (wording) {
  case Wording::known:
    return "known";
  case Wording::in_part:
    return "in part";
  case Wording::not_found:
    return "not found";
  }
  return {};
}

std::string CampaignAnalysis::metric_name() const
{
  return data.spec.metrics.empty() ? "metric" : data.spec.metrics.front().name;
}

static std::vector<Group> groups_by(const CampaignAnalysis& analysis, Grouping grouping)
{
  std::vector<Group> groups;
  for (const auto& [key, members] : members_by(analysis, grouping)) {
    Group group = group_of(analysis, members);
    group.key = key;
    group.label = key.empty() ? "not executed" : key;
    if (grouping == Grouping::op) {
      const inject::Operator* op = inject::find_operator(key);
      group.label = operator_label(key);
      group.title = op == nullptr ? "" : std::string(op->name);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

static std::vector<Group> groups_by_target(const CampaignAnalysis& analysis)
{
  std::map<std::string, std::vector<size_t>> members; // the empty name, own files, comes first
  for (size_t i = 0; i < analysis.outcomes.size(); ++i) {
    members[analysis.record_of(analysis.outcomes[i]).variant.library].push_back(i);
  }
  std::vector<Group> groups;
  for (const auto& [library, indices] : members) {
    Group group = group_of(analysis, indices);
    group.key = library.empty() ? "own" : library;
    group.label = library.empty() ? "own files" : library;
    group.title = library.empty() ? "files of the program" : "installed library";
    groups.push_back(std::move(group));
  }
  return groups;
}

static std::vector<TypeCoverage> taxonomy_of(const CampaignAnalysis& analysis)
{
  std::map<std::string, TypeCoverage> types;
  for (const Group& group : analysis.by_operator) {
    const inject::Operator* op = inject::find_operator(group.key);
    const std::string type(op == nullptr ? std::string_view() : op->type.id());
    TypeCoverage& coverage = types[type];
    coverage.type = type;
    coverage.operators.push_back(group.label);
    coverage.variants += group.symptoms.total;
    coverage.noticed += group.symptoms.total - group.symptoms.of(Symptom::normal);
  }
  std::vector<TypeCoverage> sorted;
  for (auto& [type, coverage] : types) {
    sorted.push_back(std::move(coverage));
  }
  std::stable_partition(
      sorted.begin(), sorted.end(), [](const TypeCoverage& c) { return !c.type.empty(); });
  return sorted;
}

static Accounting accounting_of(const campaign::Data& data)
{
  Accounting accounting;
  for (const campaign::Run& run : data.runs) {
    ++accounting.starts[run.start];
    ++accounting.decisions[run.decision];
    accounting.spent_seconds += run.spent_seconds;
    accounting.full_seconds += run.cpu_seconds;
  }
  return accounting;
}

CampaignAnalysis analyse_campaign(campaign::Data data)
{
  CampaignAnalysis analysis;
  analysis.data = std::move(data);
  analysis.outcomes = outcomes_of(analysis.data);
  analysis.unstable = static_cast<size_t>(
      std::ranges::count(analysis.outcomes, false, &VariantOutcome::runs_agree));
  analysis.clean = clean_group(analysis.data);
  std::vector<size_t> everything(analysis.outcomes.size());
  std::iota(everything.begin(), everything.end(), size_t{0});
  analysis.all = group_of(analysis, everything);
  analysis.all.key = "all";
  analysis.all.label = "all variants";
  analysis.by_operator = groups_by(analysis, Grouping::op);
  analysis.by_phase = groups_by(analysis, Grouping::phase);
  analysis.by_target = groups_by_target(analysis);
  add_tests(analysis);
  analysis.outliers = outliers_of(analysis);
  analysis.crashes = crashes_of(analysis);
  analysis.taxonomy = taxonomy_of(analysis);
  analysis.accounting = accounting_of(analysis.data);
  analysis.findings = jia_findings(analysis);
  return analysis;
}

} // namespace faultline::study
