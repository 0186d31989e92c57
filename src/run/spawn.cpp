#include "run/spawn.hpp"

#include "base/format.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace faultline::run {

Result<pid_t> spawn(const std::vector<std::string>& command,
                    int stderr_fd,
                    const std::vector<int>& keep,
                    int join_fd)
{
  // Everything is made ready before the fork: between it and exec only async-signal-safe calls.
  std::vector<char*> words;
  for (const std::string& word : command) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  const pid_t pid = fork();
  if (pid < 0) {
    return Error{ErrorKind::machine, format("cannot start a process: {}", std::strerror(errno))};
  }
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    for (const int number : {SIGINT, SIGTERM, SIGPIPE}) {
      sigaction(number, &standard, nullptr);
    }
    if (join_fd >= 0 && write(join_fd, "0", 1) != 1) {
      _exit(126);
    }
    const int null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(stderr_fd, STDOUT_FILENO);
    dup2(stderr_fd, STDERR_FILENO);
    // The job must not inherit descriptors that our parent left open.
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    for (const int fd : keep) {
      fcntl(fd, F_SETFD, 0);
    }
    execvp(words[0], words.data());
    const char* why = std::strerror(errno);
    const ssize_t written = write(STDERR_FILENO, why, std::strlen(why));
    _exit(written < 0 ? 126 : 127);
  }
  return pid;
}

} // namespace faultline::run
