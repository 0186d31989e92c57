#pragma once

#include "run/fd.hpp"
#include "run/job.hpp"

#include <filesystem>
#include <optional>

namespace faultline::run {

// How many tasks (processes and their threads) a job may have before the kernel refuses the next.
// The limit on processes alone is lower and ends the job; this one only keeps the machine usable
// until then.
size_t most_tasks(const Limits& limits);

// A control group that holds the kernel to such a limit. For ordinary users RLIMIT_NPROC does it;
// root is exempt from that, but may create control groups. The group is removed with this object.
class TaskLimit {
public:
  // Nothing if it is not needed or cannot be created.
  static std::optional<TaskLimit> create(size_t tasks);

  TaskLimit(TaskLimit&& other) noexcept;
  TaskLimit& operator=(TaskLimit&&) = delete;
  TaskLimit(const TaskLimit&) = delete;
  TaskLimit& operator=(const TaskLimit&) = delete;
  ~TaskLimit();

  // A process that writes "0" here joins the group.
  int joining_fd() const { return m_procs.get(); }

private:
  TaskLimit(std::filesystem::path folder, Fd procs)
      : m_folder(std::move(folder)), m_procs(std::move(procs))
  {
  }

  std::filesystem::path m_folder;
  Fd m_procs;
};

} // namespace faultline::run
