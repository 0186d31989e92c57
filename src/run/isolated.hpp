#pragma once

// Work on input that anybody may have written, in processes that can die alone.

#include "base/result.hpp"
#include "run/fd.hpp"

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::run {

// For one request.
struct IsolationLimits {
  size_t memory_bytes = size_t{2} << 30U; // besides what the process had at its start
  int cpu_seconds = 60;
  int wall_seconds = 120;
  size_t stack_bytes = size_t{64} << 20U; // only what is touched costs memory
};

// A nursery, which is a process without threads that was forked early, forks a worker when one is
// asked for: forking a process that has threads would leave locks held for ever. A worker does one
// request after the other until it dies.
class Isolated {
public:
  using Work = std::function<std::string(const std::string& request)>;

  // Call while this process has one thread only. `warm_up` runs once in the nursery, so that no
  // worker has to build what all need.
  static Result<std::unique_ptr<Isolated>>
  start(Work work, const IsolationLimits& limits = {}, const std::function<void()>& warm_up = {});
  ~Isolated();
  Isolated(const Isolated&) = delete;
  Isolated& operator=(const Isolated&) = delete;

  // What `work` gives for `request`. Call from any thread. The error says how the worker died, as
  // the end of a sentence: "the process crashed (SIGSEGV)".
  Result<std::string> ask(std::string_view request);

private:
  explicit Isolated(Fd control) : m_control(std::move(control)) {}
  Result<Fd> new_worker();
  Fd idle_worker(); // none if all are busy

  Fd m_control;
  pid_t m_nursery = 0;
  std::mutex m_mutex;
  std::vector<Fd> m_idle;
};

} // namespace faultline::run
