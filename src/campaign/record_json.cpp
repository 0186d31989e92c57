#include "campaign/record_json.hpp"

#include "base/format.hpp"
#include "campaign/metrics.hpp"

#include <cmath>

namespace faultline::campaign {

static Json number_json(double value)
{
  return std::isfinite(value) ? Json(value)
         : std::isnan(value)  ? Json("nan")
                              : Json(value > 0 ? "inf" : "-inf");
}

Json run_json(const Run& run)
{
  Json json;
  json["variant"] = run.variant;
  json["repeat"] = run.repeat;
  json["symptom"] = name_of(run.symptom);
  json["start"] = name_of(run.start);
  json["decision"] = name_of(run.decision);
  json["crash"] = nullptr;
  if (run.crash) {
    json["crash"] = {{"exception", run.crash->exception},
                     {"message", run.crash->message},
                     {"file", run.crash->file},
                     {"line", run.crash->line},
                     {"function", run.crash->function},
                     {"statement", run.crash->statement}};
  }
  json["metrics"] = Json::object();
  for (const auto& [name, value] : run.metrics) {
    json["metrics"][name] = number_json(value);
  }
  json["seconds"] = run.seconds;
  json["cpu_seconds"] = run.cpu_seconds;
  json["spent_seconds"] = run.spent_seconds;
  json["memory_kib"] = run.memory_kib;
  json["checkpoints"] = run.checkpoints;
  return json;
}

Result<Run> run_from_json(const Json& json)
{
  Run run;
  // nlohmann::json reports through exceptions; this is the fence.
  try {
    run.variant = json.at("variant").get<std::string>();
    run.repeat = json.at("repeat").get<int>();
    const auto symptom = symptom_named(json.at("symptom").get<std::string>());
    const auto start = start_named(json.at("start").get<std::string>());
    const auto decision = decision_named(json.at("decision").get<std::string>());
    if (!symptom || !start || !decision) {
      return Error{ErrorKind::bad_data, "a run with an unknown symptom, start or decision"};
    }
    run.symptom = *symptom;
    run.start = *start;
    run.decision = *decision;
    if (const Json& crash = json.at("crash"); crash.is_object()) {
      run.crash = Crash{crash.at("exception").get<std::string>(),
                        crash.at("message").get<std::string>(),
                        crash.at("file").get<std::string>(),
                        crash.at("line").get<size_t>(),
                        crash.at("function").get<std::string>(),
                        crash.at("statement").get<std::string>()};
    }
    for (const auto& [name, value] : json.at("metrics").items()) {
      run.metrics[name] = value.is_string()
                              ? parse_number(value.get<std::string>()).value_or(std::nan(""))
                              : value.get<double>();
    }
    run.seconds = json.at("seconds").get<double>();
    run.cpu_seconds = json.at("cpu_seconds").get<double>();
    run.spent_seconds = json.at("spent_seconds").get<double>();
    run.memory_kib = json.at("memory_kib").get<size_t>();
    run.checkpoints = json.at("checkpoints").get<int>();
  } catch (const Json::exception& error) {
    return Error{ErrorKind::bad_data, format("not a run: {}", error.what())};
  }
  return run;
}

Json variant_json(const VariantRecord& record)
{
  const inject::Variant& variant = record.variant;
  return {{"id", variant.id},
          {"operator", variant.op},
          {"setting", variant.setting},
          {"library", variant.library},
          {"file", variant.file},
          {"line", variant.line},
          {"column", variant.column},
          {"before", variant.before},
          {"after", variant.after},
          {"phase", record.phases.empty() ? "" : record.phases.front()},
          {"phases", record.phases}};
}

} // namespace faultline::campaign
