#pragma once

#include "run/interrupt.hpp"
#include "serve/run_record.hpp"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace faultline::serve {

// A run in progress, for those who watch it: its state and its output so far. One thread writes,
// any number read and wait.
class LiveRun {
public:
  // What a job may print before it is stopped is its own limit; this is ours.
  static constexpr size_t k_most_log = 4UL * 1024 * 1024;

  explicit LiveRun(RunRecord record) : m_record(std::move(record)) {}

  // Adds to the log, up to its bound.
  void print(std::string_view text);
  void set(const RunRecord& record);

  RunRecord record() const;
  std::string log() const;

  // What a watcher has seen, or can see.
  struct Version {
    uint64_t changes = 0; // of the record
    size_t log_bytes = 0;
  };
  // Waits up to `seconds` for another version than `seen`; the one there is then.
  Version wait(const Version& seen, double seconds) const;
  std::string read_log(size_t offset, size_t most) const;

  run::StopFlag stop = false;      // set to kill the job
  run::StopFlag cancelled = false; // because a user asked for it

private:
  mutable std::mutex m_mutex;
  mutable std::condition_variable m_changed;
  RunRecord m_record;
  uint64_t m_changes = 1;
  std::string m_log;
  bool m_cut = false;
};

} // namespace faultline::serve
