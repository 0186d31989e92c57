#include "base/bounded_json.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "proof/places.hpp"
#include "serve/api/handlers.hpp"
#include "serve/api/run_of_path.hpp"
#include "serve/knowledge.hpp"
#include "serve/parameters.hpp"
#include "serve/run_json.hpp"

#include <algorithm>

namespace faultline::serve {

namespace {

constexpr int k_greatest_seed = 1'000'000;

std::string text_at(const Json& body, const char* key)
{
  const auto found = body.find(key);
  return found != body.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Parses the body and checks its form.
Result<RunRequest> read_request(const Request& request)
{
  const auto wrong = [](std::string message) {
    return Error{ErrorKind::usage, std::move(message)};
  };
  const Result<Json> body = parse_bounded_json(request.body, {4, 64});
  if (!body || !body->is_object()) {
    return wrong("the body is not a JSON object");
  }
  RunRequest run;
  run.user = request.user;
  const std::optional<RunKind> kind = run_kind_named(text_at(*body, "kind"));
  if (!kind) {
    return wrong("`kind` is not `test` or `tool`");
  }
  run.kind = *kind;
  run.fault = text_at(*body, "fault");
  if (run.fault.empty()) {
    return wrong("`fault` is missing");
  }
  std::vector<std::string> known = {"kind", "fault"};
  if (run.kind == RunKind::test) {
    known.insert(known.end(), {"version", "seed"});
    run.version = text_at(*body, "version");
    if (run.version != "buggy" && run.version != "fixed") {
      return wrong("`version` is not `buggy` or `fixed`");
    }
    if (const auto seed = body->find("seed"); seed != body->end() && !seed->is_null()) {
      if (!seed->is_number_unsigned() || seed->get<size_t>() > k_greatest_seed) {
        return wrong(format("`seed` is not a whole number from 0 to {}", k_greatest_seed));
      }
      run.seed = seed->get<int>();
    }
  } else {
    known.emplace_back("tool");
    run.tool = text_at(*body, "tool");
    if (run.tool.empty()) {
      return wrong("`tool` is missing");
    }
  }
  for (const auto& [key, value] : body->items()) {
    if (std::ranges::find(known, key) == known.end()) {
      return wrong(format("unknown key `{}`{}", key, did_you_mean(key, known)));
    }
  }
  return run;
}

// Why a tool cannot be run on a fault; nothing if it can.
std::optional<std::string> no_use(const evaluate::Toolbox& box,
                                  const evaluate::Tool& tool,
                                  const evaluate::Subject& subject,
                                  const run::Environments& environments)
{
  std::vector<const evaluate::Tool*> parts = {&tool};
  if (tool.is_union()) {
    parts.clear();
    for (const std::string& member : tool.members) {
      parts.push_back(box.find(member));
    }
  }
  std::string reason;
  for (const evaluate::Tool* part : parts) {
    std::optional<std::string> why = evaluate::not_applicable(*part, subject);
    why = why ? why : evaluate::missing(*part, environments.get(part->environment));
    if (!why) {
      return std::nullopt;
    }
    reason += (reason.empty() ? "" : "; ") + format("{}: {}", part->name, *why);
  }
  return reason;
}

// Why the run is not possible, as a reply; nothing if it is.
std::optional<Reply> refusal(Context& context, const RunRequest& run)
{
  const Result<catalog::Fault> fault = context.knowledge->fault(run.fault);
  if (!fault) {
    return error_reply(fault.error());
  }
  if (!context.cannot_run.empty()) {
    return error_reply(503, context.cannot_run);
  }
  if (run.kind == RunKind::test) {
    const proof::Places places = proof::places_of(*fault, *context.environments);
    const std::optional<std::string> missing =
        proof::lacking_for(*fault, context.environments->get(places.proved_in.front()));
    return missing ? std::optional(error_reply(409, *missing)) : std::nullopt;
  }
  // By name only: a tool's description contains a command, so a request must not bring its own.
  const Result<evaluate::Toolbox> box = context.knowledge->tools();
  if (!box) {
    return error_reply(box.error());
  }
  const evaluate::Tool* tool = box->find(run.tool);
  if (tool == nullptr) {
    std::vector<std::string> names;
    for (const evaluate::Tool& known : box->tools) {
      names.push_back(known.name);
    }
    return error_reply(404,
                       format("there is no tool `{}`{}", run.tool, did_you_mean(run.tool, names)));
  }
  const Result<evaluate::Subject> subject = evaluate::subject_of(*fault);
  if (!subject) {
    return error_reply(subject.error());
  }
  const std::optional<std::string> why = no_use(*box, *tool, *subject, *context.environments);
  return why ? std::optional(error_reply(
                   409, format("{} cannot be run on {}: {}", run.tool, run.fault, *why)))
             : std::nullopt;
}

} // namespace

Reply list_runs(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  return json_reply(queue_json(context.queue->view(), request.user, Findings::shown));
}

Reply start_run(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  const Result<RunRequest> asked = read_request(request);
  if (!asked) {
    return error_reply(asked.error());
  }
  if (std::optional<Reply> refused = refusal(context, *asked)) {
    return *std::move(refused);
  }
  const Result<std::optional<QueuedRun>> run = context.queue->submit(*asked);
  if (!run) {
    return error_reply(run.error());
  }
  if (!*run) {
    return error_reply(429,
                       format("you have {} waiting or running already: wait for one to end, or "
                              "cancel one",
                              count_of(context.queue->view().per_user, "run")));
  }
  Reply reply = json_reply(run_json(**run, request.user), 202);
  reply.headers["Location"] = format("/api/v1/runs/{}", (*run)->record.id);
  return reply;
}

Reply get_run(Context& context, const Request& request)
{
  return about_run(
      request,
      [&](long long id) { return context.queue->find(id); },
      [&](const QueuedRun& run) { return json_reply(run_json(run, request.user)); });
}

Reply get_run_log(Context& context, const Request& request)
{
  return about_run(
      request,
      [&](long long id) { return context.queue->log(id); },
      [](const std::string& log) {
        Reply reply;
        reply.type = "text/plain; charset=utf-8";
        reply.body = to_valid_utf8(log);
        return reply;
      });
}

Reply cancel_run(Context& context, const Request& request)
{
  return about_run(
      request,
      [&](long long id) { return context.queue->cancel(id); },
      [&](const QueuedRun& run) { return json_reply(run_json(run, request.user)); });
}

} // namespace faultline::serve
