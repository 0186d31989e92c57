#pragma once

namespace faultline::run {

// From now on SIGINT and SIGTERM only set a flag: running jobs are stopped, finished ones are kept.
// A second signal ends the program at once.
void catch_interrupts();

bool interrupted();

} // namespace faultline::run
