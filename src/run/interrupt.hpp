#pragma once

#include <atomic>

namespace faultline::run {

// From now on SIGINT and SIGTERM only set a flag: running jobs are stopped, finished ones are kept.
// A second signal ends the program at once.
void catch_interrupts();

bool interrupted();

// Set by another thread to stop one job, while the others go on.
using StopFlag = std::atomic<bool>;

} // namespace faultline::run
