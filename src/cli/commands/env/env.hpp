#pragma once

// What the subcommands of `faultline env` share.

#include "base/result.hpp"
#include "cli/command.hpp"
#include "environment/description.hpp"

#include <string>
#include <vector>

namespace faultline::cli {

Subcommand declare_env_list(Arguments& arguments, Session& session);
Subcommand declare_env_show(Arguments& arguments, Session& session);
Subcommand declare_env_build(Arguments& arguments, Session& session);
Subcommand declare_env_lock(Arguments& arguments, Session& session);
Subcommand declare_env_export(Arguments& arguments, Session& session);
Subcommand declare_env_remove(Arguments& arguments, Session& session);
Subcommand declare_env_prune(Arguments& arguments, Session& session);

Result<std::vector<environment::Description>> descriptions(const Session& session);

// An error names the nearest.
Result<environment::Description> find_description(const Session& session, const std::string& name);

} // namespace faultline::cli
