#include "run/task_limit.hpp"

#include "base/format.hpp"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace faultline::run {

namespace fs = std::filesystem;

size_t most_tasks(const Limits& limits)
{
  constexpr size_t k_threads = 4; // each
  constexpr size_t k_base = 64;   // node alone has a dozen threads
  return limits.processes * k_threads + k_base;
}

static bool write_text(const fs::path& path, const std::string& text)
{
  const Fd fd(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return fd && write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::optional<TaskLimit> TaskLimit::create(size_t tasks)
{
  if (geteuid() != 0) {
    return std::nullopt;
  }
  static std::atomic<int> g_number = 0;
  const std::string name = format("faultline-{}-{}", getpid(), g_number++);
  // The first is version 1's hierarchy, the second version 2's.
  for (const char* parent : {"/sys/fs/cgroup/pids", "/sys/fs/cgroup"}) {
    const fs::path folder = fs::path(parent) / name;
    if (mkdir(folder.c_str(), 0755) != 0) {
      continue;
    }
    if (write_text(folder / "pids.max", format("{}", tasks))) {
      Fd procs(open((folder / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
      if (procs) {
        return TaskLimit(folder, std::move(procs));
      }
    }
    rmdir(folder.c_str());
  }
  return std::nullopt;
}

TaskLimit::TaskLimit(TaskLimit&& other) noexcept
    : m_folder(std::exchange(other.m_folder, {})), m_procs(std::move(other.m_procs))
{
}

TaskLimit::~TaskLimit()
{
  // The last processes of the group may still be on their way out.
  for (int i = 0; !m_folder.empty() && rmdir(m_folder.c_str()) != 0 && errno == EBUSY && i < 200; ++i) {
    usleep(5000);
  }
}

} // namespace faultline::run
