#include "serve/api/handlers.hpp"
#include "serve/api/run_of_path.hpp"
#include "serve/event_streams.hpp"
#include "serve/parameters.hpp"

#include <charconv>

namespace faultline::serve {

// The last event of a client that reconnects; 0 if it is missing or invalid.
static size_t resumed_at(const Request& request)
{
  const std::string text = request.header("last-event-id");
  size_t offset = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), offset);
  return error == std::errc() && end == text.data() + text.size() ? offset : 0;
}

Reply get_run_events(Context& context, const Request& request)
{
  return about_run(
      request,
      [&](long long id) { return context.queue->find(id); },
      [&](const QueuedRun& run) {
        Reply reply;
        reply.events = run_events(*context.queue, run, request.user, resumed_at(request));
        return reply;
      });
}

Reply get_queue_events(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  Reply reply;
  reply.events = queue_events(*context.queue, request.user);
  return reply;
}

} // namespace faultline::serve
