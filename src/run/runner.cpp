#include "run/runner.hpp"

namespace faultline::run {

// After this many lost servers, every job of this runner in that environment starts cold.
constexpr int k_most_lost_servers = 3;

// What the programs at hand use most beside the framework, where it is installed.
static const char* const k_common_modules[] = {
    "sklearn.datasets", "sklearn.model_selection", "sklearn.preprocessing"};

static ForkServerConfig server_of(const Environment& environment)
{
  ForkServerConfig config;
  config.interpreter = environment.python->path.string();
  config.script = environment.probes / "fork_server.py";
  config.modules = environment.modules;
  if (environment.python->packages.contains("scikit-learn")) {
    config.modules.insert(
        config.modules.end(), std::begin(k_common_modules), std::end(k_common_modules));
  }
  config.mounts = program_mounts(environment);
  config.system = environment.system;
  config.variables = program_variables(environment);
  return config;
}

bool Runner::has_server_for(const Environment& environment)
{
  if (!m_server || m_served != environment.name) {
    m_server.reset();
    if (Result<ForkServer> server = ForkServer::start(server_of(environment))) {
      m_server.emplace(*std::move(server));
      m_served = environment.name;
    }
  }
  return m_server.has_value();
}

RunOutcome Runner::run(const Job& job,
                       const Environment& environment,
                       const std::function<void(std::string_view)>& on_output,
                       const StopFlag* stop)
{
  const bool warm = m_config.warm && m_config.isolation == Isolation::sandbox &&
                    job.warm == WarmStart::python && environment.python &&
                    m_lost_servers[environment.name] < k_most_lost_servers;
  if (!warm) {
    return run_cold(job, m_config.isolation, on_output, stop);
  }
  if (has_server_for(environment)) {
    if (std::optional<RunOutcome> outcome = m_server->run(job, on_output, stop)) {
      return *std::move(outcome);
    }
    m_server.reset();
  }
  ++m_lost_servers[environment.name];
  return run_cold(job, m_config.isolation, on_output, stop);
}

} // namespace faultline::run
