#include "run/group_witness.hpp"

#include "base/file.hpp"
#include "base/format.hpp"

#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace faultline::run {

namespace {

// The signals of one line of /proc/<pid>/status: hexadecimal, the lowest bit is signal 1.
unsigned long long signals_of(const std::string& status, std::string_view field)
{
  const size_t at = status.find(field);
  return at == std::string::npos ? 0
                                 : std::strtoull(status.c_str() + at + field.size(), nullptr, 16);
}

[[noreturn]] void hold_signals_back(pid_t parent)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close_range(0, ~0U, 0); // we must not keep any pipe open
  while (getppid() == parent) {
    pause();
  }
  _exit(0);
}

} // namespace

Result<GroupWitness> GroupWitness::start()
{
  const pid_t parent = getpid();
  // Signals are blocked before the process exists, so that none can end it at its start.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  const pid_t pid = fork();
  if (pid == 0) {
    hold_signals_back(parent);
  }
  const int why = errno;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) {
    return Error{ErrorKind::machine, format("cannot start a process: {}", std::strerror(why))};
  }
  return GroupWitness(pid);
}

GroupWitness::GroupWitness(GroupWitness&& other) noexcept : m_pid(std::exchange(other.m_pid, 0)) {}

GroupWitness::~GroupWitness()
{
  if (m_pid > 0) {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
}

bool GroupWitness::has_seen(int signal) const
{
  const Result<std::string> status = read_file(format("/proc/{}/status", m_pid));
  if (!status) {
    return false;
  }
  const unsigned long long waiting =
      signals_of(*status, "\nSigPnd:") | signals_of(*status, "\nShdPnd:");
  return (waiting >> (signal - 1) & 1) != 0;
}

} // namespace faultline::run
