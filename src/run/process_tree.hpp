#pragma once

#include <cstddef>
#include <sys/types.h>
#include <vector>

namespace faultline::run {

// What the descendants of a process use at this moment.
struct TreeUse {
  size_t processes = 0;
  size_t memory_kib = 0; // anonymous and shared memory, resident or swapped; file pages do not count
  double cpu_seconds = 0;
};

// `root` and its descendants that live now. Orphans are found because the first process of a
// sandbox adopts them.
std::vector<pid_t> process_tree(pid_t root);

// The root itself, the sandbox's own first process, does not count. Memory that processes share is
// told apart (at a cost) only when the plain sum is above `suspicious_kib`.
TreeUse tree_use(pid_t root, size_t suspicious_kib);

// SIGKILL to the whole tree until nothing of it is left to kill.
void kill_tree(pid_t root);

} // namespace faultline::run
