#pragma once

#include "base/result.hpp"

#include <sys/types.h>

#include <string>
#include <vector>

namespace faultline::run {

// Start `command` in a session of its own with `stderr_fd` as its output and the descriptors `keep`
// left open under their own numbers, in the control group behind `join_fd` (-1: none). It dies with
// the calling thread.
Result<pid_t> spawn(const std::vector<std::string>& command,
                    int stderr_fd,
                    const std::vector<int>& keep,
                    int join_fd = -1);

} // namespace faultline::run
