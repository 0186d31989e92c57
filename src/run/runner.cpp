#include "run/runner.hpp"

namespace faultline::run {

// After this many lost servers, every job of this runner starts cold.
constexpr int k_most_lost_servers = 3;

Runner::Runner(const Environment& environment, RunnerConfig config)
    : m_environment(environment), m_config(config)
{
}

RunOutcome Runner::run(const Job& job,
                       const std::function<void(std::string_view)>& on_output,
                       const StopFlag* stop)
{
  const bool warm = m_config.warm && m_config.isolation == Isolation::sandbox &&
                    job.warm == WarmStart::python && m_environment.python &&
                    m_lost_servers < k_most_lost_servers;
  if (!warm) {
    return run_cold(job, m_config.isolation, on_output, stop);
  }
  if (!m_server) {
    ForkServerConfig config;
    config.interpreter = m_environment.python->path.string();
    config.script = m_environment.probes / "fork_server.py";
    config.modules = {"torch"};
    // What the programs at hand use most, where it is installed.
    if (m_environment.python->packages.contains("scikit-learn")) {
      config.modules.push_back("sklearn.datasets");
      config.modules.push_back("sklearn.model_selection");
      config.modules.push_back("sklearn.preprocessing");
    }
    config.mounts = program_mounts(m_environment);
    if (Result<ForkServer> server = ForkServer::start(config)) {
      m_server.emplace(*std::move(server));
    }
  }
  if (m_server) {
    if (std::optional<RunOutcome> outcome = m_server->run(job, on_output, stop)) {
      return *std::move(outcome);
    }
    m_server.reset();
  }
  ++m_lost_servers;
  return run_cold(job, m_config.isolation, on_output, stop);
}

} // namespace faultline::run
