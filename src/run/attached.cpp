#include "run/attached.hpp"

#include "base/format.hpp"
#include "run/descriptors.hpp"
#include "run/process_tree.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

namespace faultline::run {

namespace {

// On a loaded machine, it may take a while to execute a program.
constexpr int k_patience_milliseconds = 10000;
// A signal to a group reaches one process after the other.
constexpr int k_group_microseconds = 20000;

struct Terminal {
  Fd ours;
  Fd theirs;
};

// A terminal as large as the one that we have.
Result<Terminal> open_terminal()
{
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    size = {.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  }
  int ours = -1;
  int theirs = -1;
  if (openpty(&ours, &theirs, nullptr, nullptr, &size) != 0) {
    return Error{ErrorKind::machine, format("cannot open a terminal: {}", std::strerror(errno))};
  }
  fcntl(ours, F_SETFD, FD_CLOEXEC);
  fcntl(ours, F_SETFL, O_NONBLOCK);
  fcntl(theirs, F_SETFD, FD_CLOEXEC);
  return Terminal{Fd(ours), Fd(theirs)};
}

std::vector<char*> pointers(const std::vector<std::string>& words)
{
  std::vector<char*> list;
  for (const std::string& word : words) {
    list.push_back(const_cast<char*>(word.c_str()));
  }
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> variables_with(const std::map<std::string, std::string>& more)
{
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!more.contains(std::string(text.substr(0, text.find('='))))) {
      all.emplace_back(text);
    }
  }
  for (const auto& [name, value] : more) {
    all.push_back(name + "=" + value);
  }
  return all;
}

void restore_signals()
{
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) {
    sigaction(number, &standard, nullptr);
  }
}

} // namespace

Result<Attached> Attached::start(const Order& order)
{
  Terminal terminal;
  if (order.output == Output::of_terminal) {
    FL_TRY(terminal, open_terminal());
  }
  // Reports why the program could not be started; closed without data if it was.
  FL_TRY(Pipe trouble, make_pipe());
  FL_TRY(GroupWitness witness, GroupWitness::start());
  const std::vector<char*> words = pointers(order.command);
  const std::vector<std::string> variables = variables_with(order.variables);
  const std::vector<char*> environment = pointers(variables);
  const pid_t pid = fork();
  if (pid < 0) {
    return Error{ErrorKind::machine, format("cannot start a process: {}", std::strerror(errno))};
  }
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    restore_signals();
    if (order.output == Output::of_terminal) {
      dup2(terminal.theirs.get(), STDOUT_FILENO);
      dup2(terminal.theirs.get(), STDERR_FILENO);
    } else if (order.output == Output::to_stderr) {
      dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    if (order.keep >= 0) {
      fcntl(order.keep, F_SETFD, 0);
    }
    execvpe(words[0], words.data(), environment.data());
    const int why = errno;
    const ssize_t written = write(trouble.write.get(), &why, sizeof why);
    _exit(written < 0 ? 126 : 127);
  }
  Attached started(pid, std::move(terminal.ours), std::move(witness));
  trouble.write.reset();
  int why = 0;
  if (wait_readable(trouble.read.get(), k_patience_milliseconds) &&
      read(trouble.read.get(), &why, sizeof why) == sizeof why) {
    return Error{ErrorKind::usage,
                 format("cannot start `{}`: {}", order.command.front(), std::strerror(why))};
  }
  return started;
}

Attached::Attached(Attached&& other) noexcept
    : m_pid(std::exchange(other.m_pid, 0)), m_terminal(std::move(other.m_terminal)),
      m_witness(std::move(other.m_witness)), m_status(other.m_status)
{
}

Attached::~Attached()
{
  if (m_pid > 0 && !ended()) {
    kill_all();
    waitpid(m_pid, nullptr, 0);
  }
}

std::optional<int> Attached::ended()
{
  if (!m_status && m_pid > 0) {
    int status = 0;
    if (waitpid(m_pid, &status, WNOHANG) == m_pid) {
      m_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
  }
  return m_status;
}

void Attached::terminate()
{
  if (m_pid > 0 && !ended()) {
    kill(m_pid, SIGTERM);
  }
}

void Attached::kill_all()
{
  if (m_pid > 0 && !ended()) {
    kill_tree(m_pid);
  }
}

void Attached::pass_on(int signal)
{
  if (m_pid <= 0 || ended()) {
    return;
  }
  usleep(k_group_microseconds);
  const bool is_of_our_group = getpgid(m_pid) == getpgrp(); // `timeout` and `setsid` leave it
  if (!is_of_our_group || !m_witness.has_seen(signal)) {
    kill(m_pid, signal);
  }
}

} // namespace faultline::run
