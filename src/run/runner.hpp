#pragma once

#include "run/cold_start.hpp"
#include "run/environment.hpp"
#include "run/fork_server.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::run {

struct RunnerConfig {
  Isolation isolation = Isolation::sandbox;
  bool warm = true; // use fork servers where a job allows it
};

// Incremented with every change to how jobs are run that could change an outcome. It is part of the
// address of every stored outcome.
inline constexpr int k_runner_version = 3;

// Runs one job after another, for one thread. A fork server is started when a job asks for one, and
// lives until a job asks for one of another environment: whoever has many jobs orders them by that.
class Runner {
public:
  explicit Runner(RunnerConfig config) : m_config(config) {}

  // Run `job`, which was placed in `environment`. `on_output` gets the log as it comes. If another
  // thread sets `stop`, the job is killed and counts as interrupted.
  RunOutcome run(const Job& job,
                 const Environment& environment,
                 const std::function<void(std::string_view)>& on_output = {},
                 const StopFlag* stop = nullptr);

private:
  bool has_server_for(const Environment& environment);

  RunnerConfig m_config;
  std::optional<ForkServer> m_server;
  std::string m_served;                      // the environment of the server
  std::map<std::string, int> m_lost_servers; // by environment
};

} // namespace faultline::run
