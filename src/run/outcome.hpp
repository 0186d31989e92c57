#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace faultline::run {

enum class Ending {
  exited,    // by itself, with `code`
  signalled, // by the signal `code`
  timed_out, // wall or CPU limit
  out_of_memory,
  output_limit,
  process_limit,
  machine_failure, // not the program's fault: no interpreter, no space, no sandbox; never a verdict
  interrupted,     // we were told to stop; never a verdict
};

std::string_view name_of(Ending ending);

// The outcome of running a job. A crash or a hang of the program is data, not an error.
struct RunOutcome {
  Ending ending = Ending::machine_failure;
  int code = 0;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  size_t peak_memory_kib = 0;
  std::string log; // standard output and error, interleaved as they came, cut at the output limit
  std::string reason; // for a machine failure: what was missing
  std::string result; // what the job wrote to $FAULTLINE_RESULT_FD
  bool warm = false;  // started from a fork server

  bool is_verdict() const
  {
    return ending != Ending::machine_failure && ending != Ending::interrupted;
  }
  bool succeeded() const { return ending == Ending::exited && code == 0; }
};

// The outcome of a job that could not be run.
RunOutcome machine_failure(std::string reason);

// "exit status 1", "killed by SIGSEGV", "time limit", …
std::string describe(const RunOutcome& outcome);

} // namespace faultline::run
