#pragma once

#include "base/result.hpp"
#include "cli/session.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <span>
#include <string_view>

namespace faultline::cli {

// What a command does once its options are read; gives the exit status.
using Action = std::function<Result<int>()>;

// One subcommand. Help, completion and the reference page come from the table of these.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view examples; // shown under its --help, one a line
  // Declare the options on `app`; the action reads them later.
  Action (*declare)(CLI::App& app, Session& session);
};

std::span<const Command> commands();

// One file each, in src/cli/commands/.
Action declare_campaign(CLI::App& app, Session& session);
Action declare_check(CLI::App& app, Session& session);
Action declare_checkout(CLI::App& app, Session& session);
Action declare_diff(CLI::App& app, Session& session);
Action declare_doctor(CLI::App& app, Session& session);
Action declare_evaluate(CLI::App& app, Session& session);
Action declare_explain(CLI::App& app, Session& session);
Action declare_export(CLI::App& app, Session& session);
Action declare_inject(CLI::App& app, Session& session);
Action declare_list(CLI::App& app, Session& session);
Action declare_locations(CLI::App& app, Session& session);
Action declare_operators(CLI::App& app, Session& session);
Action declare_rules(CLI::App& app, Session& session);
Action declare_serve(CLI::App& app, Session& session);
Action declare_show(CLI::App& app, Session& session);
Action declare_similar(CLI::App& app, Session& session);
Action declare_stats(CLI::App& app, Session& session);
Action declare_study(CLI::App& app, Session& session);
Action declare_symptoms(CLI::App& app, Session& session);
Action declare_test(CLI::App& app, Session& session);
Action declare_verify(CLI::App& app, Session& session);
Action declare_watch(CLI::App& app, Session& session);

} // namespace faultline::cli
