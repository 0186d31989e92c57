#include "cli/commands/env/env.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

namespace faultline::cli {

Result<std::vector<environment::Description>> descriptions(const Session& session)
{
  FL_TRY(const std::filesystem::path folder, session.described());
  return environment::load_descriptions(folder);
}

Result<environment::Description> find_description(const Session& session, const std::string& name)
{
  FL_TRY(const std::vector<environment::Description> all, descriptions(session));
  if (const environment::Description* found = environment::find(all, name)) {
    return *found;
  }
  std::vector<std::string> names;
  for (const environment::Description& one : all) {
    names.push_back(one.name);
  }
  const std::string guess = did_you_mean(name, names);
  return Error{ErrorKind::not_found,
               format("unknown environment `{}`{}",
                      name,
                      guess.empty() ? "; it is one of " + join(names, ", ") : guess)};
}

Action declare_env(Arguments& arguments, Session& session)
{
  arguments.require_command();
  std::vector<Subcommand> commands;
  for (const auto declare : {declare_env_list,
                             declare_env_show,
                             declare_env_build,
                             declare_env_lock,
                             declare_env_export,
                             declare_env_remove,
                             declare_env_prune}) {
    commands.push_back(declare(arguments, session));
  }
  return action_of("env", std::move(commands));
}

} // namespace faultline::cli
