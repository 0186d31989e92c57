#include "serve/routes.hpp"

#include "base/text.hpp"
#include "serve/api/handlers.hpp"

#include <algorithm>
#include <set>

namespace faultline::serve {

static constexpr Route k_routes[] = {
    {"GET", "/api/v1/status", Access::open, get_status},
    {"GET", "/api/v1/session", Access::open, get_session},
    {"POST", "/api/v1/session", Access::open, open_session},
    {"DELETE", "/api/v1/session", Access::open, close_session},
    {"GET", "/api/v1/schemes", Access::open, get_schemes},
    {"GET", "/api/v1/openapi.json", Access::open, get_description},
    {"GET", "/api/v1/faults", Access::open, list_faults},
    {"GET", "/api/v1/faults/export", Access::open, export_faults},
    {"GET", "/api/v1/faults/{id}", Access::open, get_fault},
    {"GET", "/api/v1/faults/{id}/proof", Access::open, get_proof},
    {"GET", "/api/v1/faults/{id}/similar", Access::open, get_similar},
    {"GET", "/api/v1/faults/{id}/findings", Access::open, get_findings},
    {"GET", "/api/v1/environments", Access::open, get_environments},
    {"GET", "/api/v1/environments/{name}/{file}", Access::open, get_environment_file},
    {"GET", "/api/v1/tools", Access::open, get_tools},
    {"GET", "/api/v1/runs", Access::open, list_runs},
    {"POST", "/api/v1/runs", Access::token, start_run},
    {"GET", "/api/v1/runs/{id}", Access::open, get_run},
    {"DELETE", "/api/v1/runs/{id}", Access::token, cancel_run},
    {"GET", "/api/v1/runs/{id}/log", Access::open, get_run_log},
    {"GET", "/api/v1/runs/{id}/events", Access::open, get_run_events},
    {"GET", "/api/v1/events", Access::open, get_queue_events},
    {"GET", "/api/v1/taxonomy", Access::open, get_taxonomy},
    {"GET", "/api/v1/scoreboard", Access::open, get_scoreboard},
    {"GET", "/api/v1/scoreboard/compare", Access::open, compare_tools},
    {"GET", "/api/v1/campaigns", Access::open, list_campaigns},
    {"GET", "/api/v1/campaigns/{name}", Access::open, get_campaign},
    {"GET", "/api/v1/campaigns/{name}/variants", Access::open, list_variants},
    {"GET", "/api/v1/campaigns/{name}/variants/{id}", Access::open, get_variant},
    {"GET", "/api/v1/campaigns/{name}/events", Access::open, get_campaign_events},
    {"POST", "/api/v1/check", Access::open, check_text},
    {"GET", "/api/v1/criteria", Access::open, get_criteria},
};

std::span<const Route> routes()
{
  return k_routes;
}

static bool fits(std::string_view pattern,
                 const std::vector<std::string>& segments,
                 std::vector<std::string>& captures)
{
  captures.clear();
  size_t i = 0;
  for (const std::string_view part : split(pattern.substr(1), '/')) {
    if (i == segments.size()) {
      return false;
    }
    const bool hole = part.starts_with('{');
    if (hole ? segments[i].empty() : part != segments[i]) {
      return false;
    }
    if (hole) {
      captures.push_back(segments[i]);
    }
    ++i;
  }
  return i == segments.size();
}

Match match(std::span<const Route> table, Request& request)
{
  // HEAD is handled by the handler of GET.
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::set<std::string> allowed;
  for (const Route& route : table) {
    if (fits(route.pattern, request.segments, request.captures)) {
      if (route.method == method) {
        return {&route, ""};
      }
      allowed.insert(std::string(route.method));
      if (route.method == "GET") {
        allowed.insert("HEAD");
      }
    }
  }
  request.captures.clear();
  if (!allowed.empty()) {
    allowed.insert("OPTIONS");
  }
  return {nullptr, join(std::vector<std::string>(allowed.begin(), allowed.end()), ", ")};
}

} // namespace faultline::serve
