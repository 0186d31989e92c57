#include "serve/run_json.hpp"

#include "base/format.hpp"

namespace faultline::serve {

static Json given(const std::string& text)
{
  return text.empty() ? Json() : Json(text);
}

// Figures that were not measured are omitted; zero would be wrong.
template <typename Number> static Json measured(Number value)
{
  return value > 0 ? Json(value) : Json();
}

Json run_json(const QueuedRun& run, const std::string& user, Findings findings)
{
  const RunRecord& record = run.record;
  const RunRequest& request = record.request;
  const bool is_test = request.kind == RunKind::test;
  Json json;
  json["id"] = format("{}", record.id);
  json["kind"] = name_of(request.kind);
  json["fault"] = request.fault;
  json["version"] = is_test ? Json(request.version) : Json();
  json["seed"] = is_test ? Json(request.seed) : Json();
  json["tool"] = is_test ? Json() : Json(request.tool);
  json["state"] = name_of(record.state);
  json["position"] = run.position > 0 ? Json(run.position) : Json();
  json["created"] = record.created;
  json["started"] = given(record.started);
  json["finished"] = given(record.finished);
  json["verdict"] = given(record.end.verdict);
  json["why"] = record.end.why;
  json["wall_seconds"] = measured(record.end.wall_seconds);
  json["cpu_seconds"] = measured(record.end.cpu_seconds);
  json["peak_memory_kib"] = measured(record.end.peak_memory_kib);
  if (findings == Findings::shown) {
    json["findings"] = record.end.findings;
    json["alarms"] = record.end.alarms;
  }
  json["log_bytes"] = record.log_bytes;
  json["yours"] = !user.empty() && request.user == user;
  return json;
}

Json queue_json(const QueueView& view, const std::string& user, Findings findings)
{
  Json json;
  json["runs"] = Json::array();
  for (const QueuedRun& run : view.runs) {
    json["runs"].push_back(run_json(run, user, findings));
  }
  json["running"] = view.running;
  json["waiting"] = view.waiting;
  json["workers"] = view.workers;
  json["per_user"] = view.per_user;
  return json;
}

} // namespace faultline::serve
