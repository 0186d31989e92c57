#include "serve/event_streams.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "serve/run_json.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace faultline::serve {

namespace {

// The maximum size of a log event; a slow reader delays the rest.
constexpr size_t k_piece = 64UL * 1024;

constexpr double k_between_queues = .25; // seconds

class RunEvents {
public:
  RunEvents(RunQueue& queue, const QueuedRun& run, std::string user, size_t offset)
      : m_queue(queue), m_id(run.record.id), m_user(std::move(user)), m_offset(offset),
        m_live(queue.live(run.record.id))
  {
  }

  EventBatch next(double seconds)
  {
    EventBatch batch;
    if (!m_live && !m_log) {
      load_log();
      add_state(batch, "state");
      return batch;
    }
    if (m_live) {
      const LiveRun::Version now = m_live->wait(m_seen, m_sent_all ? seconds : 0);
      if (now.changes != m_seen.changes) {
        add_state(batch, "state");
      }
      m_seen = now;
    }
    const bool over = !m_live || is_over(m_live->record().state);
    m_sent_all = add_log(batch, over);
    if (over && m_sent_all) {
      add_state(batch, "end");
      batch.end = true;
    }
    return batch;
  }

private:
  void load_log()
  {
    Result<std::optional<std::string>> log = m_queue.log(m_id);
    m_log = log && *log ? **std::move(log) : std::string();
    m_offset = std::min(m_offset, m_log->size());
  }

  void add_state(EventBatch& batch, std::string name)
  {
    if (const Result<std::optional<QueuedRun>> run = m_queue.find(m_id); run && *run) {
      batch.events.push_back({std::move(name), format("{}", m_offset), run_json(**run, m_user)});
    }
  }

  // True if there is no more to send for now.
  bool add_log(EventBatch& batch, bool over)
  {
    std::string text =
        m_live ? m_live->read_log(m_offset, k_piece) : m_log->substr(m_offset, k_piece);
    const bool last = text.size() < k_piece;
    // Only the very end of a log may be in the middle of a character.
    if (!over || !last) {
      text.resize(whole_characters(text));
    }
    if (!text.empty()) {
      const size_t begin = m_offset;
      m_offset += text.size();
      batch.events.push_back(
          {"log", format("{}", m_offset), {{"offset", begin}, {"text", to_valid_utf8(text)}}});
    }
    return last;
  }

  RunQueue& m_queue;
  long long m_id;
  std::string m_user;
  size_t m_offset;
  std::shared_ptr<const LiveRun> m_live;
  std::optional<std::string> m_log; // of a run that had ended before
  LiveRun::Version m_seen;
  bool m_sent_all = true;
};

} // namespace

size_t whole_characters(std::string_view text)
{
  // The start of the last character is at most four bytes from the end.
  for (size_t back = 1; back <= std::min<size_t>(4, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80U) {
      continue;
    }
    const size_t length = byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : byte >= 0xC0U ? 2 : 1;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

EventSource
run_events(RunQueue& queue, const QueuedRun& run, const std::string& user, size_t offset)
{
  auto events = std::make_shared<RunEvents>(queue, run, user, offset);
  return [events](double seconds) { return events->next(seconds); };
}

EventSource queue_events(RunQueue& queue, const std::string& user)
{
  struct Seen {
    uint64_t version = 0;
    double sent = 0;
  };
  auto seen = std::make_shared<Seen>();
  return [seen, &queue, user](double seconds) {
    EventBatch batch;
    if (queue.wait(seen->version, seconds) == seen->version) {
      return batch;
    }
    const double early = seen->sent + k_between_queues - monotonic_seconds();
    if (seen->version > 0 && early > 0) {
      std::this_thread::sleep_for(std::chrono::duration<double>(early));
    }
    const std::shared_ptr<const QueueView> view = queue.common_view();
    seen->version = view->version;
    seen->sent = monotonic_seconds();
    batch.events.push_back(
        {"queue", format("{}", view->version), queue_json(*view, user, Findings::left_out)});
    return batch;
  };
}

} // namespace faultline::serve
