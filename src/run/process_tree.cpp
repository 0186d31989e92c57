#include "run/process_tree.hpp"

#include "base/format.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace faultline::run {

static std::string read_proc(const std::string& path)
{
  std::string text;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return text;
  }
  char buffer[4096];
  for (ssize_t n = 0; (n = read(fd, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(n));
  }
  close(fd);
  return text;
}

static void add_children(pid_t pid, std::vector<pid_t>& pids)
{
  const std::string tasks = format("/proc/{}/task", pid);
  DIR* directory = opendir(tasks.c_str());
  if (directory == nullptr) {
    return;
  }
  while (const dirent* entry = readdir(directory)) {
    if (entry->d_name[0] == '.') {
      continue;
    }
    const std::string children = read_proc(format("{}/{}/children", tasks, entry->d_name));
    for (const char* at = children.c_str(); *at != '\0';) {
      char* end = nullptr;
      const long child = std::strtol(at, &end, 10);
      if (end == at) {
        break;
      }
      pids.push_back(static_cast<pid_t>(child));
      at = end + (*end == ' ' ? 1 : 0);
    }
  }
  closedir(directory);
}

std::vector<pid_t> process_tree(pid_t root, size_t most)
{
  std::vector<pid_t> pids{root};
  for (size_t i = 0; i < pids.size() && pids.size() <= most; ++i) {
    add_children(pids[i], pids);
  }
  return pids;
}

static size_t status_field(const std::string& status, std::string_view name)
{
  const size_t at = status.find(name);
  return at == std::string::npos ? 0
                                 : std::strtoull(status.c_str() + at + name.size(), nullptr, 10);
}

static double cpu_seconds(pid_t pid)
{
  static const double k_ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  const std::string stat = read_proc(format("/proc/{}/stat", pid));
  const size_t name_end = stat.rfind(')');
  unsigned long user = 0;
  unsigned long system = 0;
  if (name_end != std::string::npos) {
    std::sscanf(stat.c_str() + name_end + 1,
                " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                &user,
                &system);
  }
  return static_cast<double>(user + system) / k_ticks;
}

static size_t resident_memory_kib(const std::string& status)
{
  return status_field(status, "\nRssAnon:") + status_field(status, "\nRssShmem:") +
         status_field(status, "\nVmSwap:");
}

// The process's share of its memory: a page that n processes share counts 1/n for each.
static size_t proportional_memory_kib(pid_t pid)
{
  const std::string rollup = read_proc(format("/proc/{}/smaps_rollup", pid));
  if (rollup.empty()) { // the process cannot be inspected, so what it shares counts in full
    return resident_memory_kib(read_proc(format("/proc/{}/status", pid)));
  }
  return status_field(rollup, "\nPss_Anon:") + status_field(rollup, "\nPss_Shmem:") +
         status_field(rollup, "\nSwapPss:");
}

TreeUse tree_use(pid_t root, size_t suspicious_kib, size_t most_processes)
{
  TreeUse use;
  std::vector<pid_t> pids =
      process_tree(root, most_processes == SIZE_MAX ? SIZE_MAX : most_processes + 1);
  pids.erase(pids.begin());
  if (pids.size() > most_processes) {
    use.processes = pids.size();
    return use;
  }
  for (const pid_t pid : pids) {
    const std::string status = read_proc(format("/proc/{}/status", pid));
    if (status.empty()) {
      continue;
    }
    ++use.processes;
    use.memory_kib += resident_memory_kib(status);
    use.cpu_seconds += cpu_seconds(pid);
  }
  if (use.memory_kib > suspicious_kib && use.processes > 1) {
    use.memory_kib = 0;
    for (const pid_t pid : pids) {
      use.memory_kib += proportional_memory_kib(pid);
    }
  }
  return use;
}

void kill_tree(pid_t root)
{
  for (int round = 0; round < 100; ++round) {
    const std::vector<pid_t> pids = process_tree(root);
    // Killing the leaves first would let a parent fork again, so stop everything, then kill.
    for (const pid_t pid : pids) {
      kill(pid, SIGSTOP);
    }
    bool any = false;
    for (const pid_t pid : process_tree(root)) {
      any = kill(pid, SIGKILL) == 0 || any;
    }
    if (!any || pids.size() == 1) {
      return;
    }
    usleep(1000);
  }
}

} // namespace faultline::run
