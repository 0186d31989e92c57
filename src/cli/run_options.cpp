#include "cli/run_options.hpp"

namespace faultline::cli {

std::shared_ptr<RunOptions> add_run_options(Arguments& arguments)
{
  auto options = std::make_shared<RunOptions>();
  const std::string group = "Running";
  arguments
      .flag("--no-sandbox",
            options->no_sandbox,
            "run without isolation, with limits only: you trust the programs")
      .in_group(group);
  arguments.flag("--cold", options->cold, "start every program from scratch, without a fork server")
      .in_group(group);
  return options;
}

Result<void> check_can_run(const RunOptions& options)
{
  return options.no_sandbox ? Result<void>() : run::check_sandbox();
}

} // namespace faultline::cli
