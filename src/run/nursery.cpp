#include "run/nursery.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "run/descriptors.hpp"
#include "run/frame.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <new>

namespace faultline::run {

namespace {

constexpr int k_no_memory = 77; // the exit status of a worker that could not get any

#if defined(__SANITIZE_ADDRESS__)
constexpr bool k_sanitized = true;
#elif defined(__has_feature)
constexpr bool k_sanitized = __has_feature(address_sanitizer);
#else
constexpr bool k_sanitized = false;
#endif

size_t address_space_bytes()
{
  size_t pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%zu", &pages) != 1) {
      pages = 0;
    }
    std::fclose(file);
  }
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

void lower(decltype(RLIMIT_AS) which, size_t bytes)
{
  rlimit limit = {};
  getrlimit(which, &limit);
  limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
  setrlimit(which, &limit);
}

void limit_process(const IsolationLimits& limits)
{
  lower(RLIMIT_CORE, 0);
  lower(RLIMIT_STACK, limits.stack_bytes);
  // Sanitizers reserve address space that they never use.
  if (!k_sanitized) {
    lower(RLIMIT_AS, address_space_bytes() + limits.memory_bytes);
  }
  std::set_new_handler([] { _exit(k_no_memory); });
}

// The default action of the signals of these clocks ends the process.
void set_clocks(int wall_seconds, int cpu_seconds)
{
  const itimerval wall = {{}, {wall_seconds, 0}};
  const itimerval cpu = {{}, {cpu_seconds, 0}};
  setitimer(ITIMER_REAL, &wall, nullptr);
  setitimer(ITIMER_PROF, &cpu, nullptr);
}

[[noreturn]] void run_worker(int fd, const Isolated::Work& work, const IsolationLimits& limits)
{
  limit_process(limits);
  while (const std::optional<Frame> request = read_frame(fd)) {
    set_clocks(limits.wall_seconds, limits.cpu_seconds);
    const std::string answer = work(request->bytes);
    set_clocks(0, 0);
    if (!write_frame(fd, k_answer, answer)) {
      break;
    }
  }
  _exit(0);
}

std::string seconds(int number)
{
  return count_of(static_cast<size_t>(number), "second");
}

std::string how_it_died(int status, const IsolationLimits& limits)
{
  if (WIFEXITED(status)) {
    return WEXITSTATUS(status) == k_no_memory
               ? format("needed more than {} MiB of memory", limits.memory_bytes >> 20U)
               : format("ended with status {}", WEXITSTATUS(status));
  }
  const int signal = WTERMSIG(status);
  if (signal == SIGALRM) {
    return format("took longer than {}", seconds(limits.wall_seconds));
  }
  if (signal == SIGPROF) {
    return format("took more than {} of CPU time", seconds(limits.cpu_seconds));
  }
  const char* name = sigabbrev_np(signal);
  return format("crashed ({})", name != nullptr ? format("SIG{}", name) : format("{}", signal));
}

class Nursery {
public:
  Nursery(Fd control, const Isolated::Work& work, const IsolationLimits& limits)
      : m_control(std::move(control)), m_work(work), m_limits(limits)
  {
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &m_signals, nullptr);
    m_children = Fd(signalfd(-1, &m_signals, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  [[noreturn]] void run()
  {
    while (true) {
      pollfd waiting[] = {{m_control.get(), POLLIN, 0}, {m_children.get(), POLLIN, 0}};
      poll(waiting, 2, -1);
      if (waiting[1].revents != 0) {
        bury();
      }
      if (waiting[0].revents != 0) {
        Fd place = receive_descriptor(m_control.get());
        if (!place) {
          _exit(0); // the workers go with their parent
        }
        give_birth(std::move(place));
      }
    }
  }

private:
  void give_birth(Fd place)
  {
    const pid_t worker = fork();
    if (worker == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      sigprocmask(SIG_UNBLOCK, &m_signals, nullptr);
      m_workers.clear(); // whoever asks another worker must see that one go
      m_control.reset();
      run_worker(place.get(), m_work, m_limits);
    }
    if (worker > 0) {
      m_workers[worker] = std::move(place);
    }
  }

  void bury()
  {
    signalfd_siginfo info = {};
    while (read(m_children.get(), &info, sizeof(info)) > 0) {
    }
    int status = 0;
    for (pid_t dead = waitpid(-1, &status, WNOHANG); dead > 0;
         dead = waitpid(-1, &status, WNOHANG)) {
      const auto found = m_workers.find(dead);
      if (found != m_workers.end()) {
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
          write_frame(found->second.get(), k_died, how_it_died(status, m_limits));
        }
        m_workers.erase(found);
      }
    }
  }

  Fd m_control;
  const Isolated::Work& m_work;
  const IsolationLimits& m_limits;
  sigset_t m_signals = {};
  Fd m_children;
  std::map<pid_t, Fd> m_workers;
};

} // namespace

void run_nursery(Fd control, const Isolated::Work& work, const IsolationLimits& limits)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Ctrl-C is for the process that asks: it ends, and the nursery with it.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
  Nursery(std::move(control), work, limits).run();
}

} // namespace faultline::run
