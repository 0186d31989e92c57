#include "run/fork_server.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "run/descriptors.hpp"
#include "run/order.hpp"
#include "run/sandbox.hpp"
#include "run/spawn.hpp"
#include "run/supervisor.hpp"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace faultline::run {

// Importing a framework from a cold disk can take a while; a server that is silent for this long is
// broken.
constexpr int k_start_milliseconds = 60000;
constexpr int k_answer_milliseconds = 10000;

// The server's own scratch space; each job mounts its own over it.
constexpr size_t k_server_disk_mib = 16;

Result<ForkServer> ForkServer::start(const ForkServerConfig& config)
{
  FL_TRY(auto ends, make_socket_pair());
  auto& [ours, theirs] = ends;
  FL_TRY(Pipe trouble, make_pipe());
  Limits limits;
  limits.disk_mib = k_server_disk_mib;
  std::vector<Mount> mounts = config.mounts;
  mounts.push_back({config.script, "/fork_server.py"});
  std::vector<std::string> command = sandbox_command(mounts, limits, config.system);
  command.push_back("/usr/bin/env");
  for (const auto& [name, value] : config.variables) {
    command.push_back(format("{}={}", name, value));
  }
  command.insert(command.end(),
                 {config.interpreter, "/fork_server.py", format("{}", theirs.get())});
  command.insert(command.end(), config.modules.begin(), config.modules.end());
  std::optional<TaskLimit> tasks = TaskLimit::create(most_tasks(Limits{}));
  FL_TRY(const pid_t pid,
         spawn(command, trouble.write.get(), {theirs.get()}, tasks ? tasks->joining_fd() : -1));
  theirs.reset();
  trouble.write.reset();
  ForkServer server(std::move(ours), pid, std::move(tasks));
  char ready[16];
  if (!wait_readable(server.m_socket.get(), k_start_milliseconds) ||
      recv(server.m_socket.get(), ready, sizeof ready, 0) <= 0) {
    char text[2048];
    const ssize_t n = read(trouble.read.get(), text, sizeof text);
    return Error{
        ErrorKind::machine,
        format("the fork server did not start: {}",
               n > 0 ? trim(std::string_view(text, static_cast<size_t>(n))) : "no reason given")};
  }
  return server;
}

ForkServer::ForkServer(ForkServer&& other) noexcept
    : m_tasks(std::move(other.m_tasks)), m_socket(std::move(other.m_socket)),
      m_pid(std::exchange(other.m_pid, 0))
{
}

ForkServer::~ForkServer()
{
  if (m_pid > 0) {
    m_socket.reset();
    kill(m_pid, SIGKILL); // bubblewrap's own child dies with it, and the namespace with that
    waitpid(m_pid, nullptr, 0);
  }
}

std::optional<RunOutcome> ForkServer::run(const Job& job,
                                          const std::function<void(std::string_view)>& on_output,
                                          const StopFlag* stop)
{
  const Result<Fd> order = make_memory_file(encode_order(job, std::string(k_folder)));
  Result<Pipe> log = make_pipe();
  Result<Pipe> status = make_pipe();
  if (!order || !log || !status) {
    return std::nullopt;
  }
  std::vector<int> fds{order->get(), log->write.get(), status->write.get()};
  Fd result;
  if (job.returns_result) {
    Result<Fd> file = make_memory_file("");
    if (!file) {
      return std::nullopt;
    }
    result = *std::move(file);
    fds.push_back(result.get());
  }
  if (!send_with_descriptors(m_socket.get(), "j", fds) ||
      !wait_readable(m_socket.get(), k_answer_milliseconds)) {
    return std::nullopt;
  }
  const Fd pidfd = receive_descriptor(m_socket.get());
  if (!pidfd) {
    return std::nullopt;
  }
  log->write.reset();
  status->write.reset();

  RunningJob running;
  running.log = std::move(log->read);
  running.status = std::move(status->read);
  running.stop = stop;
  running.root = pid_of(pidfd.get());
  running.kill = [&pidfd] { syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0); };
  RunOutcome outcome = supervise(running, job.limits, on_output);
  outcome.warm = true;
  if (result) {
    outcome.result = read_memory_file(result.get(), k_most_result);
  }
  return outcome;
}

} // namespace faultline::run
