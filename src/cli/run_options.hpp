#pragma once

#include "cli/arguments.hpp"
#include "cli/session.hpp"
#include "run/runner.hpp"

#include <memory>

namespace faultline::cli {

// The options of every command that runs programs.
struct RunOptions {
  bool no_sandbox = false;
  bool cold = false;

  run::RunnerConfig config() const
  {
    return {no_sandbox ? run::Isolation::none : run::Isolation::sandbox, !cold};
  }
};

std::shared_ptr<RunOptions> add_run_options(Arguments& arguments);

// Fails, and says what to do, if programs cannot be run with these options.
Result<void> check_can_run(const RunOptions& options);

} // namespace faultline::cli
