#pragma once

#include "run/fd.hpp"
#include "run/interrupt.hpp"
#include "run/job.hpp"
#include "run/outcome.hpp"

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

namespace faultline::run {

// A job under way, however it was started.
struct RunningJob {
  Fd log;         // read end of what it prints
  Fd status;      // the line in which its first process reports the end, then end of file
  pid_t root = 0; // its first process, as this machine numbers it; 0 while unknown
  std::function<void()> kill;     // end every process of it
  const StopFlag* stop = nullptr; // if it is set, the job is killed and counts as interrupted
};

// Follow a job to its end: collect the log, hold it to its limits, classify how it ended. The
// caller reaps the processes. `on_output` sees the log as it comes.
RunOutcome supervise(RunningJob& running,
                     const Limits& limits,
                     const std::function<void(std::string_view)>& on_output = {});

} // namespace faultline::run
