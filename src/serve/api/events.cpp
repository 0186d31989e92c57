#include "base/format.hpp"
#include "base/text.hpp"
#include "serve/api/handlers.hpp"
#include "serve/event_streams.hpp"
#include "serve/parameters.hpp"

#include <charconv>

namespace faultline::serve {

// Where a client that lost the connection was; 0 if it says nothing or nonsense.
static size_t resumed_at(const Request& request)
{
  const std::string text = request.header("last-event-id");
  size_t offset = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), offset);
  return error == std::errc() && end == text.data() + text.size() ? offset : 0;
}

Reply get_run_events(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  const std::string& text = request.captures.at(0);
  long long id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  const Result<std::optional<QueuedRun>> run =
      error == std::errc() && end == text.data() + text.size()
          ? context.queue->find(id)
          : Result<std::optional<QueuedRun>>(std::nullopt);
  if (!run) {
    return error_reply(run.error());
  }
  if (!*run) {
    return error_reply(404, format("there is no run `{}`", to_valid_utf8(text.substr(0, 40))));
  }
  Reply reply;
  reply.events = run_events(*context.queue, **run, request.user, resumed_at(request));
  return reply;
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
