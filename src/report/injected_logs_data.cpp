// The recomputed study as JSON and CSV.

#include "base/format.hpp"
#include "report/csv.hpp"
#include "report/injected_logs.hpp"

#include <cmath>
#include <vector>

namespace faultline::report {

using namespace study::injected;

namespace {

Json counts_json(const SymptomCounts& counts)
{
  return {{"normal", counts.normal}, {"crash", counts.crash}, {"hang", counts.hang}};
}

Json pair_json(const OutlierCounts& counts)
{
  return {{"below", counts.below}, {"above", counts.above}};
}

void add_difference(Json& json, const Difference& difference)
{
  json["equal"] = difference.equal;
  json["because"] = difference.because.empty() ? Json() : Json(difference.because);
}

Json row_json(const SymptomRow& row, bool published)
{
  Json json;
  json["library"] = name_of(row.library);
  if (!row.mutation_operator.empty()) {
    json["operator"] = row.mutation_operator;
  }
  if (published) {
    json["published"] = counts_json(row.published);
  }
  json["recomputed"] = counts_json(row.recomputed);
  json["logs"] = counts_json(row.logs);
  json["lists"] = counts_json(row.lists);
  add_difference(json, row.difference);
  return json;
}

Json by_library(const CountsByLibrary& counts)
{
  Json json = Json::object();
  for (const auto& [library, count] : counts) {
    json[std::string(name_of(library))] = count;
  }
  return json;
}

// JSON has no infinity; as text it stays readable.
Json number_json(double value)
{
  return std::isfinite(value) ? Json(value) : Json(format("{}", value));
}

std::string number_text(std::optional<double> value)
{
  return value ? format("{}", *value) : "";
}

std::string line(const std::vector<std::string>& fields)
{
  return csv_line(fields);
}

void add_counts(std::vector<std::string>& fields, const SymptomCounts& counts)
{
  for (const size_t count : {counts.normal, counts.crash, counts.hang}) {
    fields.push_back(format("{}", count));
  }
}

std::string symptom_rows(const std::vector<SymptomRow>& rows)
{
  std::string text = line({"library",
                           "operator",
                           "published_normal",
                           "published_crash",
                           "published_hang",
                           "recomputed_normal",
                           "recomputed_crash",
                           "recomputed_hang",
                           "equal",
                           "because"});
  for (const SymptomRow& row : rows) {
    std::vector<std::string> fields = {std::string(name_of(row.library)), row.mutation_operator};
    add_counts(fields, row.published);
    add_counts(fields, row.recomputed);
    fields.emplace_back(row.difference.equal ? "true" : "false");
    fields.push_back(row.difference.because);
    text += line(fields);
  }
  return text;
}

std::string outlier_rows(const std::vector<OutlierRow>& rows)
{
  std::string text = line({"library",
                           "measure",
                           "published_below",
                           "published_above",
                           "recomputed_below",
                           "recomputed_above",
                           "values",
                           "lower_quartile",
                           "upper_quartile",
                           "equal",
                           "because"});
  for (const OutlierRow& row : rows) {
    text += line({std::string(name_of(row.library)),
                  std::string(name_of(row.measure)),
                  format("{}", row.published.below),
                  format("{}", row.published.above),
                  format("{}", row.lists.below),
                  format("{}", row.lists.above),
                  format("{}", row.values),
                  format("{}", row.lower_quartile),
                  format("{}", row.upper_quartile),
                  row.difference.equal ? "true" : "false",
                  row.difference.because});
  }
  return text;
}

std::string crash_rows(const InjectedStudy& study)
{
  std::string text = line({"exception", "library", "crashes"});
  for (const auto& [exception, counts] : study.crashes) {
    for (const auto& [library, count] : counts) {
      text += line({exception, std::string(name_of(library)), format("{}", count)});
    }
  }
  return text;
}

std::string run_rows(const StudyData& data)
{
  std::string text = line({"run_id",
                           "library",
                           "operator",
                           "log_file",
                           "symptom",
                           "rule",
                           "exception",
                           "accuracy",
                           "training_time_s",
                           "epochs_or_steps",
                           "handled_tracebacks",
                           "recorded_symptom"});
  for (const MutantRun& run : data.runs) {
    const auto found = data.logs.find(run.log_file);
    if (found == data.logs.end()) {
      continue;
    }
    const LogFacts& log = found->second;
    text += line({run.id,
                  std::string(name_of(run.library)),
                  run.mutation_operator,
                  run.log_file,
                  std::string(name_of(log.symptom)),
                  std::string(name_of(log.rule)),
                  log.exception,
                  number_text(log.accuracy),
                  number_text(log.training_seconds),
                  format("{}", log.epochs_or_steps),
                  format("{}", log.handled_tracebacks),
                  run.recorded.symptom});
  }
  return text;
}

} // namespace

Json injected_logs_json(const InjectedStudy& study)
{
  Json json;
  json["study"] = "injected-logs";
  json["symptoms"] = Json::array();
  for (const SymptomRow& row : study.symptoms) {
    json["symptoms"].push_back(row_json(row, true));
  }
  json["operators"] = Json::array();
  for (const SymptomRow& row : study.operators) {
    json["operators"].push_back(row_json(row, true));
  }
  for (const SymptomRow& row : study.outside) {
    json["operators"].push_back(row_json(row, false));
  }
  json["outliers"] = Json::array();
  for (const OutlierRow& row : study.outliers) {
    Json one = {{"library", name_of(row.library)},
                {"measure", name_of(row.measure)},
                {"published", pair_json(row.published)},
                {"recomputed", pair_json(row.lists)},
                {"values", row.values},
                {"quartiles", {row.lower_quartile, row.upper_quartile}},
                {"from_logs", pair_json(row.logs)}};
    add_difference(one, row.difference);
    json["outliers"].push_back(std::move(one));
  }
  Json invalid = {{"published", study.invalid_published}, {"recomputed", Json::array()}};
  for (const InvalidAccuracy& one : study.invalid) {
    invalid["recomputed"].push_back({{"run", one.run}, {"accuracy", number_json(one.accuracy)}});
  }
  add_difference(invalid, study.invalid_difference);
  json["invalid_accuracies"] = std::move(invalid);
  json["findings"] = Json::array();
  for (const Finding& finding : study.findings) {
    json["findings"].push_back({{"number", finding.number},
                                {"statement", finding.statement},
                                {"held", finding.held},
                                {"numbers", finding.numbers}});
  }
  json["crashes"] = Json::object();
  for (const auto& [exception, counts] : study.crashes) {
    json["crashes"][exception] = by_library(counts);
  }
  json["peculiar"] = Json::object();
  for (const auto& [name, counts] : study.peculiar) {
    json["peculiar"][name] = by_library(counts);
  }
  json["agreement"] = Json::object();
  for (const Agreement& agreement : study.agreement) {
    json["agreement"][agreement.field] = {{"agreed", agreement.agreed}, {"total", agreement.total}};
  }
  json["disagreements"] = Json::array();
  for (const Disagreement& one : study.disagreements) {
    json["disagreements"].push_back({{"run", one.run},
                                     {"field", one.field},
                                     {"log", one.ours},
                                     {"recorded", one.recorded},
                                     {"last_line", one.last_line}});
  }
  json["unexplained"] = study.unexplained();
  return json;
}

FileTree injected_logs_csv(const InjectedStudy& study, const StudyData& data)
{
  return {{"symptoms.csv", symptom_rows(study.symptoms)},
          {"operators.csv", symptom_rows(study.operators)},
          {"outliers.csv", outlier_rows(study.outliers)},
          {"crashes.csv", crash_rows(study)},
          {"runs.csv", run_rows(data)}};
}

} // namespace faultline::report
