#include "report/campaign_report.hpp"

#include <cmath>

namespace faultline::report {

using study::CampaignAnalysis;
using study::Group;

// JSON has no NaN and no infinity; they are null there, as in `runs` where the symptom says why.
static Json number(double value)
{
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

static Json symptoms_json(const study::SymptomCounts& symptoms)
{
  Json json = Json::object();
  for (const campaign::Symptom symptom : campaign::all_symptoms()) {
    json[name_of(symptom)] = {{"count", symptoms.of(symptom)}, {"share", symptoms.share(symptom)}};
  }
  return json;
}

static Json box_json(const std::optional<study::Box>& box)
{
  if (!box) {
    return nullptr;
  }
  return {{"count", box->count},
          {"mean", box->mean},
          {"minimum", box->minimum},
          {"lower_whisker", box->lower_whisker},
          {"lower_quartile", box->lower_quartile},
          {"median", box->median},
          {"upper_quartile", box->upper_quartile},
          {"upper_whisker", box->upper_whisker},
          {"maximum", box->maximum},
          {"outliers_below", box->outliers_below},
          {"outliers_above", box->outliers_above}};
}

static Json group_json(const Group& group)
{
  return {{"label", group.label},
          {"name", group.title},
          {"variants", group.symptoms.total},
          {"ended", group.symptoms.ended_well()},
          {"symptoms", symptoms_json(group.symptoms)},
          {"metric", box_json(group.metric)},
          {"seconds", box_json(group.seconds)},
          {"comparable", group.comparable},
          {"unchanged", group.unchanged}};
}

static Json groups_json(const std::vector<Group>& groups)
{
  Json json = Json::object();
  for (const Group& group : groups) {
    json[group.key] = group_json(group);
  }
  return json;
}

static Json tests_json(const CampaignAnalysis& analysis)
{
  Json json = Json::array();
  for (const study::DifferenceTest& test : analysis.tests) {
    json.push_back({{"grouping", name_of(test.grouping)},
                    {"quantity", name_of(test.quantity)},
                    {"key", test.key},
                    {"label", test.label},
                    {"count", test.count},
                    {"mean", number(test.mean)},
                    {"clean_mean", number(test.clean_mean)},
                    {"welch_t", number(test.t)},
                    {"p", test.p},
                    {"adjusted_p", test.adjusted_p},
                    {"mann_whitney_u", test.u},
                    {"mann_whitney_p", test.u_p},
                    {"mann_whitney_adjusted_p", test.u_adjusted_p},
                    {"cohens_d", number(test.cohens_d)},
                    {"a12", test.a12},
                    {"significant", test.significant()}});
  }
  return json;
}

static Json groups_tests_json(const CampaignAnalysis& analysis)
{
  Json json = Json::array();
  for (const study::GroupsTest& test : analysis.groups_tests) {
    json.push_back({{"test", "anova"},
                    {"grouping", name_of(test.grouping)},
                    {"quantity", name_of(test.quantity)},
                    {"groups", test.groups},
                    {"values", test.values},
                    {"statistic", number(test.f)},
                    {"p", test.p}});
  }
  for (const study::SymptomsTest& test : analysis.symptoms_tests) {
    json.push_back({{"test", "chi-squared"},
                    {"grouping", name_of(test.grouping)},
                    {"quantity", "ended"},
                    {"groups", test.groups},
                    {"freedom", test.freedom},
                    {"statistic", test.chi_squared},
                    {"p", test.p}});
  }
  return json;
}

static Json lists_json(const CampaignAnalysis& analysis)
{
  const auto id_of = [&](size_t outcome) {
    return analysis.record_of(analysis.outcomes[outcome]).variant.id;
  };
  Json json = {{"findings", Json::array()},
               {"outliers", Json::array()},
               {"crashes", Json::array()},
               {"taxonomy", Json::array()}};
  for (const study::Finding& finding : analysis.findings) {
    json["findings"].push_back({{"number", finding.number},
                                {"verdict", name_of(finding.verdict)},
                                {"wording", name_of(finding.wording)},
                                {"statement", finding.statement},
                                {"criterion", finding.criterion},
                                {"numbers", finding.numbers}});
  }
  for (const study::Outlier& outlier : analysis.outliers) {
    json["outliers"].push_back({{"quantity", name_of(outlier.quantity)},
                                {"variant", id_of(outlier.outcome)},
                                {"value", outlier.value},
                                {"side", outlier.above ? "above" : "below"}});
  }
  for (const study::CrashGroup& group : analysis.crashes) {
    Json& entry = json["crashes"].emplace_back(Json{{"exception", group.exception},
                                                    {"file", group.file},
                                                    {"line", group.line},
                                                    {"function", group.function},
                                                    {"statement", group.statement},
                                                    {"message", group.message},
                                                    {"count", group.outcomes.size()},
                                                    {"share", group.share},
                                                    {"variants", Json::array()}});
    for (const size_t outcome : group.outcomes) {
      entry["variants"].push_back(id_of(outcome));
    }
  }
  for (const study::TypeCoverage& type : analysis.taxonomy) {
    json["taxonomy"].push_back({{"leaf", type.type}, // as it was called at first
                                {"type", type.type},
                                {"operators", type.operators},
                                {"variants", type.variants},
                                {"noticed", type.noticed}});
  }
  return json;
}

static Json accounting_json(const study::Accounting& accounting)
{
  Json json = {{"starts", Json::object()}, {"decisions", Json::object()}};
  for (const auto& [start, count] : accounting.starts) {
    json["starts"][name_of(start)] = count;
  }
  for (const auto& [decision, count] : accounting.decisions) {
    json["decisions"][name_of(decision)] = count;
  }
  json["spent_cpu_seconds"] = accounting.spent_seconds;
  json["full_cpu_seconds"] = accounting.full_seconds;
  return json;
}

Json campaign_json(const CampaignAnalysis& analysis)
{
  const campaign::Data& data = analysis.data;
  Json json;
  json["name"] = data.spec.name;
  json["variants"] = data.variants.size();
  json["finished"] = analysis.outcomes.size();
  json["symptoms"] = symptoms_json(analysis.all.symptoms);
  json["by_operator"] = groups_json(analysis.by_operator);
  json["by_phase"] = groups_json(analysis.by_phase);
  json["by_target"] = groups_json(analysis.by_target);
  json["clean"] = {{"runs", data.clean.size()},
                   {"metric_name", analysis.metric_name()},
                   {"metric", box_json(analysis.clean.metric)},
                   {"seconds", box_json(analysis.clean.seconds)}};
  json["all"] = group_json(analysis.all);
  json["unstable"] = analysis.unstable;
  json["tests"] = tests_json(analysis);
  json["groups_tests"] = groups_tests_json(analysis);
  json.update(lists_json(analysis));
  json["accounting"] = accounting_json(analysis.accounting);
  json["started"] = data.started;
  json["ended"] = data.finished;
  json["machine"] = data.machine;
  json["versions"] = data.versions;
  json["settings"] = data.settings;
  json["figures"] = campaign_figures(analysis);
  return json;
}

} // namespace faultline::report
