#pragma once

#include "run/cold_start.hpp"
#include "run/environment.hpp"
#include "run/fork_server.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace faultline::run {

struct RunnerConfig {
  Isolation isolation = Isolation::sandbox;
  bool warm = true; // use fork servers where a job allows it
};

// Incremented with every change to how jobs are run that could change an outcome. It is part of the
// address of every stored outcome.
inline constexpr int k_runner_version = 2;

// Runs one job after another, for one thread. The fork server is started when the first job asks
// for it and lives as long as the runner.
class Runner {
public:
  Runner(const Environment& environment, RunnerConfig config);

  // `on_output` gets the log as it comes. If another thread sets `stop`, the job is killed and
  // counts as interrupted.
  RunOutcome run(const Job& job,
                 const std::function<void(std::string_view)>& on_output = {},
                 const StopFlag* stop = nullptr);

private:
  const Environment& m_environment;
  RunnerConfig m_config;
  std::optional<ForkServer> m_server;
  int m_lost_servers = 0;
};

} // namespace faultline::run
