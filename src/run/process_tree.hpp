#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace faultline::run {

// What the descendants of a process use at this moment.
struct TreeUse {
  size_t processes = 0;
  size_t memory_kib =
      0; // anonymous and shared memory, resident or swapped; file pages do not count
  double cpu_seconds = 0;
};

// `root` and its descendants that live now. Orphans are found because the first process of a
// sandbox adopts them. Stops once it has found `most`, in case a program makes processes faster
// than they can be listed.
std::vector<pid_t> process_tree(pid_t root, size_t most = SIZE_MAX);

// The root itself, the sandbox's own first process, does not count. Shared memory is accounted for
// (which is slow) only if the plain sum is above `suspicious_kib`. Beyond `most_processes`, the
// count stops there.
TreeUse tree_use(pid_t root, size_t suspicious_kib, size_t most_processes = SIZE_MAX);

// SIGKILL to the whole tree until nothing of it is left to kill.
void kill_tree(pid_t root);

} // namespace faultline::run
