#include "base/bounded_json.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "check/checker.hpp"
#include "serve/api/handlers.hpp"
#include "serve/parameters.hpp"
#include "serve/text_analysis.hpp"

#include <chrono>
#include <memory>
#include <semaphore>

namespace faultline::serve {

namespace {

constexpr size_t k_most_text = 2UL * 1024 * 1024;
constexpr size_t k_longest_name = 200;

// Analysing is bounded in steps, not in memory for all who ask at once: so many at one time.
constexpr int k_at_once = 2;
constexpr std::chrono::seconds k_patience(20);
std::counting_semaphore<k_at_once> g_free(k_at_once); // NOLINT: one for the process

// What was sent: a name and a text, nothing of this machine.
Result<check::Subject> subject_of(const Request& request, const check::Config& config)
{
  const auto wrong = [](std::string message) {
    return Error{ErrorKind::usage, std::move(message)};
  };
  const Result<Json> body = parse_bounded_json(request.body, {4, 64});
  if (!body || !body->is_object()) {
    return wrong("the body is not a JSON object");
  }
  check::Subject subject;
  subject.config = &config;
  subject.alone = true;
  for (const auto& [key, value] : body->items()) {
    if (key != "name" && key != "text") {
      return wrong(format("unknown key `{}`", key));
    }
    if (!value.is_string()) {
      return wrong(format("`{}` is not a text", key));
    }
    (key == "name" ? subject.path : subject.text.emplace()) = value.get<std::string>();
  }
  if (!subject.text) {
    return wrong("`text` is missing");
  }
  // The name is only shown; folders in it are those of the client.
  subject.path = subject.path.substr(subject.path.find_last_of("/\\") + 1);
  if (subject.path.empty()) {
    subject.path = "train.py";
  }
  if (subject.path.size() > k_longest_name) {
    return wrong(format("`name` is longer than {} bytes", k_longest_name));
  }
  return subject;
}

} // namespace

Reply check_text(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  if (!g_free.try_acquire_for(k_patience)) {
    return error_reply(503, "too many programs are being checked: try again in a moment");
  }
  const std::shared_ptr<void> slot(nullptr, [](void*) { g_free.release(); });
  const check::Config config;
  const Result<check::Subject> subject = subject_of(request, config);
  if (request.body.size() > k_most_text || (subject && subject->text->size() > k_most_text)) {
    return error_reply(413, format("the text is larger than {} MiB", k_most_text >> 20U));
  }
  if (!subject) {
    return error_reply(subject.error());
  }
  const Result<Json> found = context.analysis->of(*subject);
  Reply reply = found ? json_reply(*found) : error_reply(found.error());
  reply.cacheable = false;
  return reply;
}

} // namespace faultline::serve
