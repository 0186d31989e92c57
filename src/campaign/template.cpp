#include "campaign/template.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "run/descriptors.hpp"
#include "run/interrupt.hpp"
#include "run/sandbox.hpp"
#include "run/spawn.hpp"
#include "run/supervisor.hpp"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <set>

namespace faultline::campaign {

namespace {

constexpr size_t k_mib = 1024 * 1024;
constexpr size_t k_most_result = 8 * k_mib;
constexpr int k_answer_milliseconds = 20000;

// Between two messages the template runs the clean program, at the pace of a busy machine.
constexpr double k_patience = 10;

Json limits_json(const run::Limits& limits)
{
  return {{"data", limits.memory_mib * k_mib},
          {"cpu", static_cast<size_t>(std::ceil(limits.cpu_seconds))},
          {"fsize", limits.disk_mib * k_mib},
          {"nproc", run::most_tasks(limits)},
          {"tmpfs", limits.disk_mib * k_mib}};
}

// The process of the sandbox, and the socket to the template in it.
class Process {
public:
  static Result<Process> start(const run::Environment& environment, const TemplateOrder& order)
  {
    FL_TRY(auto ends, run::make_socket_pair());
    auto& [ours, theirs] = ends;
    Json json = order.json;
    json["limits"] = limits_json(order.limits);
    FL_TRY(const run::Fd file, run::make_memory_file(print_json_compact(json)));
    FL_TRY(run::Pipe trouble, run::make_pipe());
    std::vector<run::Mount> mounts = order.mounts;
    mounts.push_back({environment.probes, "/probes"});
    std::vector<std::string> command =
        run::sandbox_command(mounts, order.limits, environment.system);
    command.push_back("/usr/bin/env");
    for (const auto& [name, value] : order.json.at("variables").items()) {
      command.push_back(name + "=" + value.get<std::string>());
    }
    command.insert(command.end(),
                   {environment.python->path.string(),
                    "/probes/faultline_campaign/template.py",
                    format("{}", theirs.get()),
                    format("{}", file.get())});
    std::optional<run::TaskLimit> tasks = run::TaskLimit::create(run::most_tasks(order.limits));
    FL_TRY(const pid_t pid,
           run::spawn(command,
                      trouble.write.get(),
                      {theirs.get(), file.get()},
                      tasks ? tasks->joining_fd() : -1));
    return Process(std::move(ours), std::move(trouble.read), pid, std::move(tasks));
  }

  Process(Process&& other) noexcept
      : m_tasks(std::move(other.m_tasks)), m_socket(std::move(other.m_socket)),
        m_trouble(std::move(other.m_trouble)), m_pid(std::exchange(other.m_pid, 0))
  {
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  Process& operator=(Process&&) = delete;

  ~Process()
  {
    if (m_pid > 0) {
      m_socket.reset();
      kill(m_pid, SIGKILL); // the namespace dies with it
      waitpid(m_pid, nullptr, 0);
    }
  }

  int socket() const { return m_socket.get(); }

  // The next message; nothing if the template is lost.
  std::optional<std::string> receive(double seconds) const
  {
    char text[4096];
    for (double waited = 0; waited < seconds && !run::interrupted(); waited += 0.2) {
      if (run::wait_readable(m_socket.get(), 200)) {
        const ssize_t n = recv(m_socket.get(), text, sizeof text, 0);
        return n > 0 ? std::optional(std::string(text, static_cast<size_t>(n))) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  bool answer(std::string_view word) const
  {
    return send(m_socket.get(), word.data(), word.size(), MSG_NOSIGNAL) > 0;
  }

  std::string trouble() const
  {
    char text[2048];
    const ssize_t n = read(m_trouble.get(), text, sizeof text);
    const std::string_view said = n > 0 ? trim(std::string_view(text, static_cast<size_t>(n)))
                                        : std::string_view("no reason given");
    return std::string(
        said.substr(said.rfind('\n') == std::string_view::npos ? 0 : said.rfind('\n') + 1));
  }

private:
  Process(run::Fd socket, run::Fd trouble, pid_t pid, std::optional<run::TaskLimit> tasks)
      : m_tasks(std::move(tasks)), m_socket(std::move(socket)), m_trouble(std::move(trouble)),
        m_pid(pid)
  {
  }

  std::optional<run::TaskLimit> m_tasks;
  run::Fd m_socket;
  run::Fd m_trouble;
  pid_t m_pid;
};

// Let the template fork, and follow the fork to its end. Nothing if the template is lost.
std::optional<ForkEnd>
follow_fork(const Process& process, ForkEnd end, const run::Limits& whole_run)
{
  Result<run::Pipe> log = run::make_pipe();
  Result<run::Pipe> status = run::make_pipe();
  Result<run::Fd> result = run::make_memory_file("");
  if (!log || !status || !result) {
    return std::nullopt;
  }
  const std::vector<int> fds{log->write.get(), status->write.get(), result->get()};
  if (!run::send_with_descriptors(process.socket(), "go", fds) ||
      !run::wait_readable(process.socket(), k_answer_milliseconds)) {
    return std::nullopt;
  }
  const run::Fd pidfd = run::receive_descriptor(process.socket());
  log->write.reset();
  status->write.reset();

  run::RunningJob running;
  running.log = std::move(log->read);
  running.status = std::move(status->read);
  if (pidfd) { // otherwise the status tells why there is none
    running.root = run::pid_of(pidfd.get());
  }
  running.kill = [&pidfd] {
    if (pidfd) {
      syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0);
    }
  };
  // What the clean program took up to here counts as this run's.
  run::Limits limits = whole_run;
  limits.wall_seconds = std::max(1.0, limits.wall_seconds - end.prefix_seconds);
  end.outcome = run::supervise(running, limits);
  end.outcome.warm = true;
  end.result = parse_json(run::read_memory_file(result->get(), k_most_result));
  if (end.result.is_discarded() || !end.result.is_object()) {
    end.result = nullptr;
  }
  return end;
}

} // namespace

Result<std::vector<LeftOver>> run_template(const run::Environment& environment,
                                           const TemplateOrder& order,
                                           const std::function<NextStep(ForkEnd)>& on_end)
{
  const size_t count = order.json.at("variants").size();
  std::set<size_t> open;
  for (size_t i = 0; i < count; ++i) {
    open.insert(i);
  }
  std::vector<LeftOver> left_over;
  std::string lost = "the template was lost";
  FL_TRY(const Process process, Process::start(environment, order));
  const double patience = 60 + k_patience * order.limits.wall_seconds;
  while (const std::optional<std::string> message = process.receive(patience)) {
    ForkEnd end;
    char kind[32] = {};
    if (*message == "end") {
      lost = k_never_entered;
      break;
    }
    if (message->starts_with("failed ")) {
      lost = "the template failed: " + message->substr(7);
      break;
    }
    if (message->starts_with("cold ")) {
      const size_t space = message->find(' ', 5);
      end.variant = std::stoul(message->substr(5, space - 5));
      left_over.push_back({end.variant, message->substr(space + 1)});
      open.erase(end.variant);
      process.answer("next");
      continue;
    }
    if (std::sscanf(
            message->c_str(), "variant %zu %31s %lf", &end.variant, kind, &end.prefix_seconds) !=
            3 ||
        end.variant >= count) {
      return Error{ErrorKind::internal, "the template said: " + *message};
    }
    end.kind = kind;
    std::optional<ForkEnd> ended = follow_fork(process, std::move(end), order.limits);
    if (!ended || ended->outcome.ending == run::Ending::interrupted) {
      break;
    }
    const size_t variant = ended->variant;
    NextStep next = NextStep::go_on;
    if (ended->outcome.ending == run::Ending::machine_failure) {
      left_over.push_back({variant, ended->outcome.reason});
      open.erase(variant);
    } else if (ended->result.is_object() && ended->result.contains("cold")) {
      left_over.push_back({variant, ended->result["cold"].get<std::string>()});
      open.erase(variant);
    } else {
      next = on_end(*std::move(ended));
      if (next == NextStep::go_on) {
        open.erase(variant);
      }
    }
    if (!process.answer(next == NextStep::put_off ? "defer" : "next")) {
      break;
    }
  }
  if (!open.empty() && lost == "the template was lost") {
    lost += ": " + process.trouble();
  }
  for (const size_t variant : open) {
    left_over.push_back({variant, lost});
  }
  return left_over;
}

} // namespace faultline::campaign
