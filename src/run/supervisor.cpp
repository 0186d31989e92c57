#include "run/supervisor.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "run/process_tree.hpp"

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>

namespace faultline::run {

// How often the use of memory, processes and CPU is checked. A program can take a few hundred MiB
// more in that time; its own resource limit (RLIMIT_DATA) catches it before that.
constexpr int k_poll_milliseconds = 10;

// What a program prints when an allocation fails. That counts as out of memory, whatever exit
// status the program then chooses.
constexpr std::string_view k_refused_memory[] = {
    "MemoryError",
    "std::bad_alloc",
    "can't allocate memory",
    "Cannot allocate memory",
    "JavaScript heap out of memory",
    "Array buffer allocation failed",
};

// Reads what is there. False at end of file.
static bool drain(int fd, std::string& into)
{
  char buffer[65536];
  while (true) {
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n > 0) {
      into.append(buffer, static_cast<size_t>(n));
      if (into.size() > 64 * 1024 * 1024) {
        return true;
      }
    } else if (n == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
}

static bool says_out_of_memory(const RunOutcome& outcome)
{
  const std::string_view log = outcome.log;
  const std::string_view tail = log.substr(log.size() - std::min<size_t>(log.size(), 8192));
  return std::ranges::any_of(k_refused_memory, [tail](std::string_view sign) {
    return tail.find(sign) != std::string_view::npos;
  });
}

// Turn the report of the first process into the way the job ended.
static void classify(RunOutcome& outcome, const std::string& report, const Limits& limits)
{
  if (report.starts_with('!')) {
    outcome.ending = Ending::machine_failure;
    outcome.reason = report.substr(1);
    return;
  }
  int status = 0;
  long long micros = 0;
  unsigned long long peak = 0;
  if (std::sscanf(report.c_str(), "%d %lld %llu", &status, &micros, &peak) != 3) {
    outcome.ending = Ending::machine_failure;
    outcome.reason = "the sandbox ended without a report";
    return;
  }
  outcome.cpu_seconds = std::max(outcome.cpu_seconds, static_cast<double>(micros) / 1e6);
  outcome.peak_memory_kib = std::max<size_t>(outcome.peak_memory_kib, peak);
  if (WIFSIGNALED(status)) {
    outcome.ending = Ending::signalled;
    outcome.code = WTERMSIG(status);
    if (outcome.code == SIGXCPU ||
        (outcome.code == SIGKILL && outcome.cpu_seconds >= limits.cpu_seconds)) {
      outcome.ending = Ending::timed_out;
    }
  } else {
    outcome.ending = Ending::exited;
    outcome.code = WEXITSTATUS(status);
  }
  if (!outcome.succeeded() && outcome.ending != Ending::timed_out && says_out_of_memory(outcome)) {
    outcome.ending = Ending::out_of_memory;
  }
}

// The limit that is exceeded now, if any.
static std::optional<Ending> passed_limit(const RunOutcome& so_far,
                                          const TreeUse& use,
                                          const Limits& limits,
                                          const StopFlag* stop)
{
  if (so_far.log.size() > limits.output_kib * 1024) {
    return Ending::output_limit;
  }
  if (so_far.wall_seconds > limits.wall_seconds || use.cpu_seconds > limits.cpu_seconds) {
    return Ending::timed_out;
  }
  if (use.memory_kib > limits.memory_mib * 1024) {
    return Ending::out_of_memory;
  }
  if (use.processes > limits.processes) {
    return Ending::process_limit;
  }
  const bool stopped = interrupted() || (stop != nullptr && stop->load());
  return stopped ? std::optional(Ending::interrupted) : std::nullopt;
}

RunOutcome supervise(RunningJob& running,
                     const Limits& limits,
                     const std::function<void(std::string_view)>& on_output)
{
  RunOutcome outcome;
  std::string report;
  std::optional<Ending> stopped;
  const double start = monotonic_seconds();
  double next_look = start;
  bool log_open = true;
  bool status_open = true;
  size_t shown = 0;
  while (status_open || log_open) {
    pollfd fds[] = {{log_open ? running.log.get() : -1, POLLIN, 0},
                    {status_open ? running.status.get() : -1, POLLIN, 0}};
    poll(fds, 2, k_poll_milliseconds);
    if (log_open && fds[0].revents != 0) {
      log_open = drain(running.log.get(), outcome.log);
    }
    if (status_open && fds[1].revents != 0) {
      status_open = drain(running.status.get(), report);
    }
    if (on_output && outcome.log.size() > shown) {
      on_output(std::string_view(outcome.log).substr(shown));
      shown = outcome.log.size();
    }
    const double now = monotonic_seconds();
    if (status_open) {
      outcome.wall_seconds = now - start;
    }
    if (!stopped) {
      TreeUse use;
      if (running.root > 0 && status_open && now >= next_look) {
        use = tree_use(running.root, limits.memory_mib * 1024, limits.processes);
        next_look = now + k_poll_milliseconds / 1000.0;
      }
      outcome.peak_memory_kib = std::max(outcome.peak_memory_kib, use.memory_kib);
      outcome.cpu_seconds = std::max(outcome.cpu_seconds, use.cpu_seconds);
      stopped = passed_limit(outcome, use, limits, running.stop);
      if (stopped) {
        running.kill();
      }
    } else if (outcome.log.size() > limits.output_kib * 1024 * 4) {
      outcome.log.resize(limits.output_kib * 1024); // it may keep printing while it dies
    }
  }
  if (outcome.log.size() > limits.output_kib * 1024) {
    outcome.log.resize(limits.output_kib * 1024);
  }
  if (stopped) {
    outcome.ending = *stopped;
  } else {
    classify(outcome, report, limits);
  }
  return outcome;
}

} // namespace faultline::run
