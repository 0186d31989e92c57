#pragma once

#include "base/result.hpp"
#include "cli/arguments.hpp"
#include "cli/session.hpp"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace faultline::cli {

// Runs a command after its options have been parsed; returns the exit status.
using Action = std::function<Result<int>()>;

// One subcommand. Help, completion and the reference page come from the table of these.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view examples; // shown under its --help, one per line
  // Declare the options; the action reads them later.
  Action (*declare)(Arguments& arguments, Session& session);
};

std::span<const Command> commands();

// One of those that a command consists of, as `campaign run`.
struct Subcommand {
  Arguments arguments;
  Action action;
};

// What a command does that consists of others.
Action action_of(std::string_view command, std::vector<Subcommand> subcommands);

// One file each, in src/cli/commands/.
Action declare_campaign(Arguments& arguments, Session& session);
Action declare_check(Arguments& arguments, Session& session);
Action declare_checkout(Arguments& arguments, Session& session);
Action declare_diff(Arguments& arguments, Session& session);
Action declare_doctor(Arguments& arguments, Session& session);
Action declare_env(Arguments& arguments, Session& session);
Action declare_evaluate(Arguments& arguments, Session& session);
Action declare_explain(Arguments& arguments, Session& session);
Action declare_export(Arguments& arguments, Session& session);
Action declare_inject(Arguments& arguments, Session& session);
Action declare_list(Arguments& arguments, Session& session);
Action declare_locations(Arguments& arguments, Session& session);
Action declare_operators(Arguments& arguments, Session& session);
Action declare_rules(Arguments& arguments, Session& session);
Action declare_serve(Arguments& arguments, Session& session);
Action declare_show(Arguments& arguments, Session& session);
Action declare_similar(Arguments& arguments, Session& session);
Action declare_stats(Arguments& arguments, Session& session);
Action declare_study(Arguments& arguments, Session& session);
Action declare_symptoms(Arguments& arguments, Session& session);
Action declare_test(Arguments& arguments, Session& session);
Action declare_verify(Arguments& arguments, Session& session);
Action declare_watch(Arguments& arguments, Session& session);
Action declare_withdraw(Arguments& arguments, Session& session);

} // namespace faultline::cli
