#include "run/task_limit.hpp"

#include "base/format.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>

namespace faultline::run {

namespace fs = std::filesystem;

size_t most_tasks(const Limits& limits)
{
  constexpr size_t k_threads = 2; // each
  constexpr size_t k_base = 64;   // node alone has a dozen threads
  return limits.processes * k_threads + k_base;
}

static bool write_text(const fs::path& path, const std::string& text)
{
  const Fd fd(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return fd && write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// Groups of a Faultline that was killed before it could remove them.
static void remove_orphaned_groups(const fs::path& parent)
{
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, code)) {
    const std::string name = entry.path().filename().string();
    int owner = 0;
    if (std::sscanf(name.c_str(), "faultline-%d-", &owner) == 1 && kill(owner, 0) != 0) {
      rmdir(entry.path().c_str());
    }
  }
}

std::optional<TaskLimit> TaskLimit::create(size_t tasks)
{
  if (geteuid() != 0) {
    return std::nullopt;
  }
  static std::atomic<int> g_number = 0;
  const int number = g_number++;
  const std::string name = format("faultline-{}-{}", getpid(), number);
  // The first is version 1's hierarchy, the second version 2's.
  for (const char* parent : {"/sys/fs/cgroup/pids", "/sys/fs/cgroup"}) {
    const fs::path folder = fs::path(parent) / name;
    if (number == 0) {
      remove_orphaned_groups(parent);
    }
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
  // The last processes of the group may not have exited yet.
  for (int i = 0; !m_folder.empty() && rmdir(m_folder.c_str()) != 0 && errno == EBUSY && i < 200;
       ++i) {
    usleep(5000);
  }
}

} // namespace faultline::run
