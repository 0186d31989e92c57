#pragma once

#include "serve/live_run.hpp"
#include "serve/run_log.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace faultline::serve {

// Does runs, one after the other, on one thread.
class RunWorker {
public:
  virtual ~RunWorker() = default;
  // Ends soon, as interrupted, when `live.stop` is set. What it prints goes to `live`.
  virtual RunEnd run(const RunRequest& request, LiveRun& live) = 0;
};

// Made on the thread that will use it.
using MakeWorker = std::function<std::unique_ptr<RunWorker>()>;

struct QueueConfig {
  size_t workers = 0;  // 0: half of the cores
  size_t per_user = 8; // waiting or running at one time
};

struct QueuedRun {
  RunRecord record;
  size_t position = 0; // 1 for the one that is next; 0 if it does not wait
};

// The queue as everybody sees it.
struct QueueView {
  std::vector<QueuedRun> runs; // the newest first
  size_t running = 0;
  size_t waiting = 0;
  size_t workers = 0;
  size_t per_user = 0;
  uint64_t version = 0;
};

// Runs that wait for a worker. Users take turns, so that one with many runs does not keep the
// others waiting. Safe to use from several threads.
class RunQueue {
public:
  static constexpr size_t k_listed = 100; // runs of a view

  // Runs that were waiting when the log was last open are run.
  static Result<std::unique_ptr<RunQueue>>
  open(RunLog log, const QueueConfig& config, MakeWorker make_worker);
  // Running jobs are stopped and marked as interrupted; waiting ones wait until the next start.
  ~RunQueue();
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  // Nothing if the user has as many waiting and running as allowed.
  Result<std::optional<QueuedRun>> submit(const RunRequest& request);
  Result<std::optional<QueuedRun>> find(long long id);
  // Nothing if there is no such run. A running one is killed; one that is over stays as it is.
  Result<std::optional<QueuedRun>> cancel(long long id);
  Result<std::optional<std::string>> log(long long id);
  // To follow it; null if it is over.
  std::shared_ptr<const LiveRun> live(long long id) const;

  QueueView view() const;
  // The same for all who listen: made once for each version, so that what a run has printed since
  // is not counted in it.
  std::shared_ptr<const QueueView> common_view() const;
  // Waits up to `seconds` for another version than `seen`; the one there is then.
  uint64_t wait(uint64_t seen, double seconds) const;

private:
  RunQueue(RunLog log, const QueueConfig& config, MakeWorker make_worker);

  Result<void> load();
  void work();
  std::shared_ptr<LiveRun> take(); // waits; null when it is time to end
  void end(LiveRun& live, RunEnd end);
  void enqueue(const RunRecord& record);
  void remember(const RunRecord& record);
  std::vector<long long> order() const; // of those that wait
  size_t position_of(long long id) const;
  QueueView make_view() const; // with the lock held
  void changed();

  RunLog m_log;
  QueueConfig m_config;
  MakeWorker m_make_worker;

  mutable std::mutex m_mutex;
  mutable std::condition_variable m_changed;
  uint64_t m_version = 1;
  mutable std::shared_ptr<const QueueView> m_view; // of `common_view`
  bool m_ending = false;
  std::map<long long, std::shared_ptr<LiveRun>> m_live;   // waiting and running
  std::map<long long, RunRecord> m_recent;                // the newest that are over
  std::map<std::string, std::deque<long long>> m_waiting; // by user
  std::deque<std::string> m_turns;                        // users with waiting runs, the next first
  std::vector<std::thread> m_threads;
};

} // namespace faultline::serve
