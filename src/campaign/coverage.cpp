#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/cold_run.hpp"
#include "campaign/plan.hpp"
#include "campaign/program_files.hpp"
#include "campaign/spec_check.hpp"
#include "run/cold_start.hpp"

namespace faultline::campaign {

static Json region_json(const Region& region)
{
  Json json;
  json["file"] = region.file;
  json["function"] = region.function;
  json["lines"] =
      region.lines ? Json::array({region.lines->first, region.lines->second}) : Json(nullptr);
  return json;
}

static Result<Json> setup_of(const Spec& spec, const std::set<std::string>& files)
{
  Json setup;
  setup["files"] = files;
  setup["phases"] = Json::array();
  for (const Phase& phase : spec.phases) {
    Json regions = Json::array();
    for (const Region& region : phase.regions) {
      regions.push_back(region_json(region));
    }
    setup["phases"].push_back({{"name", phase.name}, {"regions", std::move(regions)}});
  }
  setup["checkpoint"] = nullptr;
  if (!spec.checkpoint.empty()) {
    FL_TRY(const Region checkpoint, parse_region(spec.checkpoint));
    setup["checkpoint"] = region_json(checkpoint);
  }
  return setup;
}

static Coverage coverage_of(const Json& json)
{
  Coverage coverage;
  coverage.checkpoints = json.value("checkpoints", 0);
  for (const auto& [context, files] : json["contexts"].items()) {
    const size_t bar = context.rfind('|');
    const std::string phase = context.substr(0, bar);
    const int segment = std::atoi(context.c_str() + bar + 1);
    for (const auto& [file, lines] : files.items()) {
      for (const Json& line : lines) {
        if (!phase.empty()) {
          coverage.phases[phase][file].insert(line.get<size_t>());
        }
        coverage.segments[file][line.get<size_t>()].insert(segment);
      }
    }
  }
  return coverage;
}

std::string last_line(std::string_view log)
{
  std::string_view last;
  for (const std::string_view line : split_lines(log)) {
    if (!trim(line).empty()) {
      last = trim(line);
    }
  }
  return to_valid_utf8(last);
}

Result<Coverage> measure_coverage(const Spec& spec,
                                  const run::Environment& environment,
                                  const std::set<std::string>& files,
                                  run::Isolation isolation)
{
  FL_TRY(const FileTree program, program_files(spec));
  FL_TRY(const Json setup, setup_of(spec, files));
  FL_TRY(const run::Job job,
         program_job(
             spec, environment, program, "campaign_coverage.py", setup, 0, k_clean_limit_seconds));
  const run::RunOutcome outcome = run::run_cold(job, isolation);
  if (!outcome.is_verdict()) {
    return Error{ErrorKind::machine,
                 outcome.ending == run::Ending::interrupted ? "interrupted" : outcome.reason};
  }
  const Json json = parse_json(outcome.result);
  if (!outcome.succeeded() || !json.is_object() || !json.contains("contexts")) {
    const std::string said = last_line(outcome.log);
    return Error{ErrorKind::bad_data,
                 format("the clean program does not end well under coverage.py: {}{}",
                        run::describe(outcome),
                        said.empty() ? "" : format(", last line `{}`", said))};
  }
  return coverage_of(json);
}

std::string print_coverage(const Coverage& coverage)
{
  Json json;
  json["checkpoints"] = coverage.checkpoints;
  json["phases"] = coverage.phases;
  json["segments"] = Json::object();
  for (const auto& [file, lines] : coverage.segments) {
    Json& entry = json["segments"][file] = Json::object();
    for (const auto& [line, segments] : lines) {
      entry[format("{}", line)] = segments;
    }
  }
  return print_json_line(json);
}

Result<Coverage> parse_coverage(const std::string& text)
{
  const Json json = parse_json(text);
  Coverage coverage;
  // nlohmann::json reports through exceptions; this is the fence.
  try {
    coverage.checkpoints = json.at("checkpoints").get<int>();
    for (const auto& [phase, files] : json.at("phases").items()) {
      for (const auto& [file, lines] : files.items()) {
        coverage.phases[phase][file] = lines.get<std::set<size_t>>();
      }
    }
    for (const auto& [file, lines] : json.at("segments").items()) {
      for (const auto& [line, segments] : lines.items()) {
        coverage.segments[file][std::stoul(line)] = segments.get<std::set<int>>();
      }
    }
  } catch (const std::exception&) {
    return Error{ErrorKind::bad_data, "the kept coverage is damaged"};
  }
  return coverage;
}

} // namespace faultline::campaign
