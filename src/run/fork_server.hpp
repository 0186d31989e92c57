#pragma once

#include "base/result.hpp"
#include "run/fd.hpp"
#include "run/interrupt.hpp"
#include "run/job.hpp"
#include "run/outcome.hpp"
#include "run/task_limit.hpp"

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::run {

struct ForkServerConfig {
  std::string interpreter;          // as the sandbox sees it
  std::filesystem::path script;     // probes/fork_server.py
  std::vector<std::string> modules; // imported before the first job
  std::vector<Mount> mounts;
  std::filesystem::path system; // the root of another system; empty for the machine's
  std::map<std::string, std::string> variables;
};

// One sandbox in which a Python interpreter has a framework imported. A job is a fork of it, in
// namespaces of its own; it starts in milliseconds. One job at a time, from the thread that started
// the server (which dies with that thread).
class ForkServer {
public:
  static Result<ForkServer> start(const ForkServerConfig& config);

  ForkServer(ForkServer&& other) noexcept;
  ForkServer& operator=(ForkServer&& other) = delete;
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;
  ~ForkServer();

  // Nothing if the server is lost; the caller then starts the job cold.
  std::optional<RunOutcome> run(const Job& job,
                                const std::function<void(std::string_view)>& on_output = {},
                                const StopFlag* stop = nullptr);

private:
  ForkServer(Fd socket, pid_t pid, std::optional<TaskLimit> tasks)
      : m_tasks(std::move(tasks)), m_socket(std::move(socket)), m_pid(pid)
  {
  }

  std::optional<TaskLimit> m_tasks; // of the server and the job it runs
  Fd m_socket;
  pid_t m_pid;
};

} // namespace faultline::run
