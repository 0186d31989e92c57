#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/session.hpp"
#include "report/campaign_report.hpp"
#include "report/campaign_tables.hpp"
#include "serve/api/handlers.hpp"
#include "serve/knowledge.hpp"
#include "serve/parameters.hpp"
#include "serve/tool_json.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace faultline::serve {

namespace fs = std::filesystem;

namespace {

// A campaign that has written nothing for this long has stopped; a single run rarely takes longer.
constexpr std::chrono::minutes k_silence(3);

constexpr size_t k_most_log = 1024UL * 1024;
constexpr double k_between_looks = .5; // seconds

const std::vector<std::string> k_sorts = {
    "id", "operator", "file", "line", "phase", "symptom", "metric", "seconds"};

// JSON has no NaN and no infinity.
Json number(double value)
{
  return std::isfinite(value) ? Json(value) : Json(format("{}", value));
}

Json symptoms_json(const campaign::Overview& overview)
{
  Json json = Json::object();
  for (const campaign::Symptom symptom : campaign::all_symptoms()) {
    const auto found = overview.symptoms.find(symptom);
    json[std::string(name_of(symptom))] = found == overview.symptoms.end() ? 0 : found->second;
  }
  return json;
}

std::string_view state_of(const campaign::Overview& overview, const fs::path& folder)
{
  if (!overview.finished.empty()) {
    return "finished";
  }
  std::error_code code;
  fs::file_time_type last = fs::last_write_time(folder / "campaign.sqlite", code);
  // An empty log is one that a reader made.
  const fs::path log = folder / "campaign.sqlite-wal";
  if (fs::file_size(log, code) > 0 && !code) {
    last = std::max(last, fs::last_write_time(log, code));
  }
  return fs::file_time_type::clock::now() - last < k_silence ? "running" : "stopped";
}

// The path of the campaign file, without private folders.
std::string shown_path(const fs::path& root, const fs::path& file)
{
  const fs::path relative = file.lexically_relative(root);
  return relative.empty() || *relative.begin() == ".." ? file.filename().string()
                                                       : relative.generic_string();
}

Json progress_json(const campaign::Overview& overview, std::string_view state)
{
  return {{"done", overview.runs},
          {"runs", overview.total_runs},
          {"variants", overview.variants},
          {"symptoms", symptoms_json(overview)},
          {"state", state}};
}

Json crash_json(const campaign::Crash& crash)
{
  return {{"exception", crash.exception},
          {"message", crash.message},
          {"file", crash.file},
          {"line", crash.line},
          {"function", crash.function},
          {"statement", crash.statement}};
}

Json run_json(const campaign::Run& run)
{
  Json json = {{"repeat", run.repeat},
               {"symptom", name_of(run.symptom)},
               {"start", name_of(run.start)},
               {"decision", name_of(run.decision)},
               {"metrics", Json::object()},
               {"seconds", run.seconds},
               {"cpu_seconds", run.cpu_seconds},
               {"spent_seconds", run.spent_seconds},
               {"memory_kib", run.memory_kib},
               {"checkpoints", run.checkpoints},
               {"crash", run.crash ? crash_json(*run.crash) : Json()}};
  for (const auto& [name, value] : run.metrics) {
    json["metrics"][name] = number(value);
  }
  return json;
}

const study::VariantOutcome* outcome_of(const CampaignKnowledge& known, size_t variant)
{
  const auto found = known.outcomes.find(variant);
  return found == known.outcomes.end() ? nullptr : &known.analysis.outcomes[found->second];
}

Json variant_json(const CampaignKnowledge& known, size_t at)
{
  const campaign::VariantRecord& record = known.analysis.data.variants[at];
  const inject::Variant& variant = record.variant;
  const study::VariantOutcome* outcome = outcome_of(known, at);
  Json json;
  json["id"] = variant.id;
  json["operator"] = variant.op;
  json["label"] = study::operator_label(variant.op);
  json["setting"] = variant.setting;
  json["library"] = variant.library;
  json["file"] = variant.file;
  json["line"] = variant.line;
  json["column"] = variant.column;
  json["phase"] = record.phases.empty() ? "" : record.phases.front();
  json["phases"] = record.phases;
  json["before"] = variant.before;
  json["after"] = variant.after;
  json["symptom"] = outcome != nullptr ? Json(name_of(outcome->symptom)) : Json();
  json["runs"] = outcome != nullptr ? outcome->runs : 0;
  json["runs_agree"] = outcome == nullptr || outcome->runs_agree;
  json["metric"] = outcome != nullptr && outcome->metric ? number(*outcome->metric) : Json();
  json["metric_difference"] = outcome != nullptr && outcome->metric_difference
                                  ? number(*outcome->metric_difference)
                                  : Json();
  json["metrics"] = Json::object();
  if (const auto runs = known.runs.find(variant.id); runs != known.runs.end()) {
    for (const auto& [name, value] : known.analysis.data.runs[runs->second.front()].metrics) {
      json["metrics"][name] = number(value);
    }
  }
  json["seconds"] = outcome != nullptr && outcome->seconds ? number(*outcome->seconds) : Json();
  return json;
}

struct VariantFilter {
  std::vector<std::string> symptoms;
  std::vector<std::string> operators;
  std::vector<std::string> phases;
};

bool is_one(const std::vector<std::string>& wanted, std::string_view value)
{
  return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
}

std::vector<size_t> selected(const CampaignKnowledge& known, const VariantFilter& filter)
{
  std::vector<size_t> found;
  for (size_t i = 0; i < known.analysis.data.variants.size(); ++i) {
    const campaign::VariantRecord& record = known.analysis.data.variants[i];
    const study::VariantOutcome* outcome = outcome_of(known, i);
    const std::string_view symptom = outcome != nullptr ? name_of(outcome->symptom) : "not run";
    const bool op = is_one(filter.operators, record.variant.op) ||
                    is_one(filter.operators, study::operator_label(record.variant.op));
    const bool phase = filter.phases.empty() ||
                       std::ranges::any_of(record.phases, [&filter](const std::string& name) {
                         return is_one(filter.phases, name);
                       });
    if (op && phase && is_one(filter.symptoms, symptom)) {
      found.push_back(i);
    }
  }
  return found;
}

void sort_variants(std::vector<size_t>& variants, const CampaignKnowledge& known, std::string by)
{
  const bool descending = by.starts_with('-');
  by = descending ? by.substr(1) : by;
  const auto text_of = [&](size_t i) -> std::string {
    const campaign::VariantRecord& record = known.analysis.data.variants[i];
    const study::VariantOutcome* outcome = outcome_of(known, i);
    return by == "id"           ? record.variant.id
           : by == "operator"   ? study::operator_label(record.variant.op)
           : by == "file"       ? record.variant.file
           : by == "phase"      ? phases_text(record)
           : outcome != nullptr ? std::string(name_of(outcome->symptom))
                                : std::string();
  };
  // Unknown values come last in either direction.
  const auto number_of = [&](size_t i) -> std::optional<double> {
    const study::VariantOutcome* outcome = outcome_of(known, i);
    if (by == "line") {
      return static_cast<double>(known.analysis.data.variants[i].variant.line);
    }
    return outcome == nullptr ? std::nullopt : by == "metric" ? outcome->metric : outcome->seconds;
  };
  if (by == "line" || by == "metric" || by == "seconds") {
    std::ranges::stable_sort(variants, [&](size_t a, size_t b) {
      const std::optional<double> left = number_of(a);
      const std::optional<double> right = number_of(b);
      if (!left || !right) {
        return left.has_value() && !right;
      }
      return descending ? *left > *right : *left < *right;
    });
    return;
  }
  std::vector<std::pair<std::string, size_t>> keyed;
  for (const size_t i : variants) {
    keyed.emplace_back(text_of(i), i);
  }
  std::ranges::stable_sort(keyed, [descending](const auto& a, const auto& b) {
    return descending ? a.first > b.first : a.first < b.first;
  });
  for (size_t i = 0; i < variants.size(); ++i) {
    variants[i] = keyed[i].second;
  }
}

// "id", "-id", …
std::vector<std::string> both_ways(const std::vector<std::string>& names)
{
  std::vector<std::string> all = names;
  for (const std::string& name : names) {
    all.push_back("-" + name);
  }
  return all;
}

std::vector<std::string> symptom_names()
{
  std::vector<std::string> names = {"not run"};
  for (const campaign::Symptom symptom : campaign::all_symptoms()) {
    names.emplace_back(name_of(symptom));
  }
  return names;
}

} // namespace

Reply list_campaigns(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  Json json;
  json["campaigns"] = Json::array();
  for (const std::string& name : context.knowledge->campaigns()) {
    const auto overview = context.knowledge->campaign_overview(name);
    if (!overview) {
      json["campaigns"].push_back(
          {{"name", name}, {"state", "stopped"}, {"problem", overview.error().line()}});
      continue;
    }
    const campaign::Overview& known = **overview;
    Json entry = {
        {"name", name}, {"title", known.name}, {"program", shown_path(context.root, known.file)}};
    entry["created"] = known.started;
    entry["finished"] = known.finished.empty() ? Json() : Json(known.finished);
    entry.update(progress_json(known, state_of(known, context.home / "campaigns" / name)));
    json["campaigns"].push_back(std::move(entry));
  }
  return json_reply(json);
}

Reply get_campaign(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  const std::string& name = request.captures.at(0);
  const Result<fs::path> folder = context.knowledge->campaign_folder(name);
  if (!folder) {
    return error_reply(folder.error());
  }
  return text_reply(context.knowledge->answer(
      "campaign " + name, Knowledge::campaign_version(*folder), [&]() -> Result<std::string> {
        FL_TRY(const auto known, context.knowledge->campaign(name, Freshness::exact));
        return print_json_line(report::campaign_json(known->analysis));
      }));
}

Reply list_variants(Context& context, const Request& request)
{
  Parameters parameters(request);
  VariantFilter filter;
  filter.symptoms = parameters.some_of("symptom", symptom_names());
  filter.operators = parameters.texts("operator");
  filter.phases = parameters.texts("phase");
  const std::string sort = parameters.one_of("sort", both_ways(k_sorts), "");
  const size_t offset = parameters.number("offset", 0, 100'000'000);
  const size_t limit = parameters.number("limit", 50, 500);
  if (const Result<void> fine = parameters.finish(); !fine) {
    return error_reply(fine.error());
  }
  const auto known = context.knowledge->campaign(request.captures.at(0));
  if (!known) {
    return error_reply(known.error());
  }
  std::vector<size_t> variants = selected(**known, filter);
  if (!sort.empty()) {
    sort_variants(variants, **known, sort);
  }
  Json json = {{"total", variants.size()}, {"offset", offset}, {"limit", limit}};
  json["items"] = Json::array();
  for (size_t i = offset; i < std::min(variants.size(), offset + limit); ++i) {
    json["items"].push_back(variant_json(**known, variants[i]));
  }
  return json_reply(json);
}

Reply get_variant(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  const std::string& name = request.captures.at(0);
  const std::string& id = request.captures.at(1);
  const auto known = context.knowledge->campaign(name);
  if (!known) {
    return error_reply(known.error());
  }
  const auto found = (*known)->variants.find(id);
  if (found == (*known)->variants.end()) {
    return error_reply(404,
                       format("the campaign has no variant `{}`", to_valid_utf8(id.substr(0, 80))));
  }
  const Result<fs::path> folder = context.knowledge->campaign_folder(name);
  Result<campaign::Store> store =
      folder ? campaign::Store::open(*folder) : Result<campaign::Store>(folder.error());
  if (!store) {
    return error_reply(store.error());
  }
  const campaign::Data& data = (*known)->analysis.data;
  Json json = variant_json(**known, found->second);
  json["runs"] = Json::array();
  if (const auto runs = (*known)->runs.find(id); runs != (*known)->runs.end()) {
    for (const size_t run : runs->second) {
      json["runs"].push_back(run_json(data.runs[run]));
    }
  }
  const Result<std::string> diff = campaign::diff_of(*store, data.variants[found->second].variant);
  json["diff"] = diff ? Json(to_valid_utf8(*diff)) : Json();
  const Result<std::optional<std::string>> log = store->log(id, 0);
  const bool there = log && *log;
  json["log"] = there ? Json(to_valid_utf8((*log)->substr(0, k_most_log))) : Json();
  json["log_bytes"] = there ? (*log)->size() : 0;
  return json_reply(json);
}

Reply get_campaign_events(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  const std::string name = request.captures.at(0);
  const Result<fs::path> folder = context.knowledge->campaign_folder(name);
  if (!folder) {
    return error_reply(folder.error());
  }
  Reply reply;
  auto last = std::make_shared<std::string>(); // the last state that was sent
  reply.events = [&context, name, folder = *folder, last](double seconds) {
    EventBatch batch;
    const double until = monotonic_seconds() + seconds;
    while (true) {
      const auto overview = context.knowledge->campaign_overview(name);
      if (!overview) {
        batch.end = true;
        return batch;
      }
      const std::string_view state = state_of(**overview, folder);
      Json progress = progress_json(**overview, state);
      if (std::string text = print_json_line(progress); text != *last) {
        *last = std::move(text);
        batch.events.push_back({"progress", "", std::move(progress)});
      }
      batch.end = state == "finished";
      if (!batch.events.empty() || batch.end || monotonic_seconds() >= until) {
        return batch;
      }
      std::this_thread::sleep_for(std::chrono::duration<double>(
          std::clamp(until - monotonic_seconds(), 0.01, k_between_looks)));
    }
  };
  return reply;
}

} // namespace faultline::serve
