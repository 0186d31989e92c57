#include "run/capture.hpp"

#include "base/format.hpp"
#include "run/fd.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstring>

extern char** environ;

namespace faultline::run {

Result<Captured> capture(const std::vector<std::string>& command)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return Error{ErrorKind::machine, format("cannot make a pipe: {}", std::strerror(errno))};
  }
  Fd read_end(ends[0]);
  Fd write_end(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  write_end.reset();
  if (failed != 0) {
    return Error{ErrorKind::machine,
                 format("cannot run {}: {}", command[0], std::strerror(failed))};
  }
  Captured captured;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(read_end.get(), buffer, sizeof buffer)) > 0;) {
    captured.output.append(buffer, static_cast<size_t>(n));
  }
  int status = 0;
  waitpid(pid, &status, 0);
  captured.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return captured;
}

} // namespace faultline::run
