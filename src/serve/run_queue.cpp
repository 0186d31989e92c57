#include "serve/run_queue.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"

#include <algorithm>
#include <chrono>

namespace faultline::serve {

// How long a request to cancel waits for the job to be gone, so that its answer can say so.
constexpr double k_cancel_seconds = 3;

// How often waiting threads check for an interrupt, since a signal does not wake them.
constexpr std::chrono::milliseconds k_look(500);

static size_t workers_of(const QueueConfig& config)
{
  const size_t half = std::max(1U, std::thread::hardware_concurrency() / 2);
  return config.workers > 0 ? config.workers : half;
}

Result<std::unique_ptr<RunQueue>>
RunQueue::open(RunLog log, const QueueConfig& config, MakeWorker make_worker)
{
  std::unique_ptr<RunQueue> queue(new RunQueue(std::move(log), config, std::move(make_worker)));
  FL_CHECK(queue->load());
  for (size_t i = 0; i < queue->m_config.workers; ++i) {
    queue->m_threads.emplace_back([raw = queue.get()] { raw->work(); });
  }
  return queue;
}

RunQueue::RunQueue(RunLog log, const QueueConfig& config, MakeWorker make_worker)
    : m_log(std::move(log)), m_config(config), m_make_worker(std::move(make_worker))
{
  m_config.workers = workers_of(config);
}

RunQueue::~RunQueue()
{
  {
    const std::lock_guard lock(m_mutex);
    m_ending = true;
    for (const auto& [id, live] : m_live) {
      live->stop = true;
    }
    changed();
  }
  for (std::thread& thread : m_threads) {
    thread.join();
  }
}

Result<void> RunQueue::load()
{
  FL_TRY(const std::vector<RunRecord> newest, m_log.newest(k_listed));
  for (const RunRecord& record : newest) {
    if (is_over(record.state)) {
      remember(record);
    }
  }
  FL_TRY(const std::vector<RunRecord> waiting, m_log.waiting());
  for (const RunRecord& record : waiting) {
    enqueue(record);
  }
  return {};
}

void RunQueue::changed()
{
  ++m_version;
  m_changed.notify_all();
}

void RunQueue::enqueue(const RunRecord& record)
{
  m_live[record.id] = std::make_shared<LiveRun>(record);
  std::deque<long long>& line = m_waiting[record.request.user];
  if (line.empty()) {
    m_turns.push_back(record.request.user);
  }
  line.push_back(record.id);
}

void RunQueue::remember(const RunRecord& record)
{
  m_recent[record.id] = record;
  while (m_recent.size() > k_listed) {
    m_recent.erase(m_recent.begin());
  }
}

Result<std::optional<QueuedRun>> RunQueue::submit(const RunRequest& request)
{
  const std::lock_guard lock(m_mutex);
  const auto theirs = static_cast<size_t>(std::ranges::count_if(m_live, [&](const auto& entry) {
    return entry.second->record().request.user == request.user;
  }));
  if (theirs >= m_config.per_user) {
    return std::optional<QueuedRun>();
  }
  FL_TRY(const RunRecord record, m_log.add(request));
  enqueue(record);
  changed();
  return std::optional(QueuedRun{record, position_of(record.id)});
}

// Round by round, one of each user.
std::vector<long long> RunQueue::order() const
{
  std::vector<long long> ids;
  bool more = true;
  for (size_t round = 0; more; ++round) {
    more = false;
    for (const std::string& user : m_turns) {
      const std::deque<long long>& line = m_waiting.at(user);
      if (round < line.size()) {
        ids.push_back(line[round]);
        more = true;
      }
    }
  }
  return ids;
}

size_t RunQueue::position_of(long long id) const
{
  const std::vector<long long> ids = order();
  const auto found = std::ranges::find(ids, id);
  return found == ids.end() ? 0 : static_cast<size_t>(found - ids.begin()) + 1;
}

std::shared_ptr<LiveRun> RunQueue::take()
{
  std::unique_lock lock(m_mutex);
  while (!m_ending) {
    if (m_turns.empty() || run::interrupted()) {
      m_changed.wait_for(lock, k_look);
      continue;
    }
    const std::string user = m_turns.front();
    m_turns.pop_front();
    std::deque<long long>& line = m_waiting[user];
    const long long id = line.front();
    line.pop_front();
    if (line.empty()) {
      m_waiting.erase(user);
    } else {
      m_turns.push_back(user);
    }
    const std::shared_ptr<LiveRun> live = m_live.at(id);
    RunRecord record = live->record();
    record.state = RunState::running;
    record.started = utc_now();
    const Result<void> kept = m_log.start(record);
    static_cast<void>(kept); // the run goes on; its end is kept or says why not
    live->set(record);
    changed();
    return live;
  }
  return nullptr;
}

void RunQueue::work()
{
  const std::unique_ptr<RunWorker> worker = m_make_worker();
  while (const std::shared_ptr<LiveRun> live = take()) {
    RunEnd result;
    try {
      result = worker->run(live->record().request, *live);
    } catch (const std::exception& error) { // one run must not end the server
      result.why = format("internal error: {}", error.what());
    }
    if (live->cancelled) {
      result.state = RunState::cancelled;
      result.why = "cancelled while it ran";
    } else if (live->stop) {
      result.state = RunState::interrupted;
      result.why = "the server was stopped while this ran";
    }
    end(*live, std::move(result));
  }
}

// First the record on disk, then the view: nobody must see an end that a crash would undo.
void RunQueue::end(LiveRun& live, RunEnd end)
{
  RunRecord record = live.record();
  record.state = end.state;
  record.finished = utc_now();
  record.end = std::move(end);
  if (const Result<void> kept = m_log.finish(record, live.log()); !kept) {
    record.state = record.end.state = RunState::failed;
    record.end.why = kept.error().line();
  }
  const std::lock_guard lock(m_mutex);
  live.set(record);
  remember(live.record());
  m_live.erase(record.id);
  changed();
}

Result<std::optional<QueuedRun>> RunQueue::find(long long id)
{
  {
    const std::lock_guard lock(m_mutex);
    if (const auto live = m_live.find(id); live != m_live.end()) {
      return std::optional(QueuedRun{live->second->record(), position_of(id)});
    }
    if (const auto recent = m_recent.find(id); recent != m_recent.end()) {
      return std::optional(QueuedRun{recent->second, 0});
    }
  }
  FL_TRY(std::optional<RunRecord> record, m_log.find(id));
  return record ? std::optional(QueuedRun{*std::move(record), 0}) : std::nullopt;
}

Result<std::optional<QueuedRun>> RunQueue::cancel(long long id)
{
  std::shared_ptr<LiveRun> waiting;
  {
    std::unique_lock lock(m_mutex);
    const auto found = m_live.find(id);
    if (found != m_live.end()) {
      const std::shared_ptr<LiveRun> live = found->second;
      const RunRecord record = live->record();
      live->cancelled = true;
      live->stop = true;
      if (record.state == RunState::waiting) {
        const std::string& user = record.request.user;
        std::deque<long long>& line = m_waiting[user];
        std::erase(line, id);
        if (line.empty()) {
          m_waiting.erase(user);
          std::erase(m_turns, user);
        }
        waiting = live;
      } else {
        m_changed.wait_for(lock, std::chrono::duration<double>(k_cancel_seconds), [&] {
          return !m_live.contains(id);
        });
      }
    }
  }
  if (waiting) {
    RunEnd cancelled;
    cancelled.state = RunState::cancelled;
    cancelled.why = "cancelled before it ran";
    end(*waiting, cancelled);
  }
  return find(id);
}

Result<std::optional<std::string>> RunQueue::log(long long id)
{
  if (const std::shared_ptr<const LiveRun> running = live(id)) {
    return std::optional(running->log());
  }
  return m_log.log(id);
}

std::shared_ptr<const LiveRun> RunQueue::live(long long id) const
{
  const std::lock_guard lock(m_mutex);
  const auto found = m_live.find(id);
  return found == m_live.end() ? nullptr : found->second;
}

QueueView RunQueue::view() const
{
  const std::lock_guard lock(m_mutex);
  return make_view();
}

std::shared_ptr<const QueueView> RunQueue::common_view() const
{
  const std::lock_guard lock(m_mutex);
  if (!m_view || m_view->version != m_version) {
    m_view = std::make_shared<const QueueView>(make_view());
  }
  return m_view;
}

QueueView RunQueue::make_view() const
{
  QueueView view;
  view.workers = m_config.workers;
  view.per_user = m_config.per_user;
  view.version = m_version;
  std::map<long long, size_t> positions;
  for (const long long id : order()) {
    const size_t position = positions.size() + 1;
    positions[id] = position;
  }
  view.waiting = positions.size();
  for (const auto& [id, live] : m_live) {
    const auto position = positions.find(id);
    view.runs.push_back({live->record(), position == positions.end() ? 0 : position->second});
    view.running += view.runs.back().record.state == RunState::running ? 1 : 0;
  }
  for (const auto& [id, record] : m_recent) {
    view.runs.push_back({record, 0});
  }
  std::ranges::sort(view.runs, std::greater(), [](const QueuedRun& run) { return run.record.id; });
  if (view.runs.size() > k_listed) {
    view.runs.resize(k_listed);
  }
  return view;
}

uint64_t RunQueue::wait(uint64_t seen, double seconds) const
{
  std::unique_lock lock(m_mutex);
  m_changed.wait_for(
      lock, std::chrono::duration<double>(seconds), [&] { return m_version != seen; });
  return m_version;
}

} // namespace faultline::serve
