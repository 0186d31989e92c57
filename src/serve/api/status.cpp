#include "base/format.hpp"
#include "environment/description.hpp"
#include "serve/api/handlers.hpp"
#include "serve/parameters.hpp"
#include "serve/run_queue.hpp"

namespace faultline::serve {

// Listing more would only make the page long.
constexpr size_t k_most_problems = 100;

static Json queue_json(const RunQueue* queue)
{
  if (queue == nullptr) {
    return {{"running", 0}, {"waiting", 0}, {"workers", 0}, {"per_user", 0}};
  }
  const QueueView view = queue->view();
  return {{"running", view.running},
          {"waiting", view.waiting},
          {"workers", view.workers},
          {"per_user", view.per_user}};
}

static Json frameworks_json(const run::Environments* environments)
{
  Json json = Json::object();
  for (const std::string_view framework : catalog::k_frameworks) {
    const std::string name(framework);
    const std::optional<std::string> missing =
        environments == nullptr
            ? "the machine was not looked at"
            : environments->get(std::string(environment::usual_environment(name))).missing(name);
    json[name] = {{"available", !missing}};
    if (missing) {
      json[name]["missing"] = *missing;
    }
  }
  return json;
}

Reply get_status(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  std::vector<std::string> problems = context.entries->problems();
  if (problems.size() > k_most_problems) {
    const size_t more = problems.size() - k_most_problems;
    problems.resize(k_most_problems);
    problems.push_back(format("and {} more", more));
  }
  Reply reply = json_reply({{"version", context.version},
                            {"faults", context.entries->size()},
                            {"can_run", context.cannot_run.empty()},
                            {"reason", context.cannot_run},
                            {"queue", queue_json(context.queue)},
                            {"frameworks", frameworks_json(context.environments)},
                            {"problems", problems}});
  return reply;
}

} // namespace faultline::serve
