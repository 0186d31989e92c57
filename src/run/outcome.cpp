#include "run/outcome.hpp"

#include "base/format.hpp"

#include <csignal>
#include <cstring>

namespace faultline::run {

std::string_view name_of(Ending ending)
{
  switch (ending) {
  case Ending::exited:
    return "exited";
  case Ending::signalled:
    return "signal";
  case Ending::timed_out:
    return "timed out";
  case Ending::out_of_memory:
    return "out of memory";
  case Ending::output_limit:
    return "output limit";
  case Ending::process_limit:
    return "process limit";
  case Ending::machine_failure:
    return "machine failure";
  case Ending::interrupted:
    return "interrupted";
  }
  return "?";
}

RunOutcome machine_failure(std::string reason)
{
  RunOutcome outcome;
  outcome.ending = Ending::machine_failure;
  outcome.reason = std::move(reason);
  return outcome;
}

std::string describe(const RunOutcome& outcome)
{
  switch (outcome.ending) {
  case Ending::exited:
    return format("exit status {}", outcome.code);
  case Ending::signalled: {
    const char* name = sigabbrev_np(outcome.code);
    return name != nullptr ? format("killed by SIG{}", name)
                           : format("killed by signal {}", outcome.code);
  }
  case Ending::machine_failure:
    return format("machine failure: {}", outcome.reason);
  default:
    return std::string(name_of(outcome.ending));
  }
}

} // namespace faultline::run
