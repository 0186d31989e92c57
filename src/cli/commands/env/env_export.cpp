#include "base/file.hpp"
#include "base/format.hpp"
#include "catalog/filter.hpp"
#include "cli/commands/env/env.hpp"
#include "environment/export.hpp"

namespace faultline::cli {

namespace {

struct Options {
  std::string target;
  std::string format = "requirements";
  std::string output;
};

// An environment, or the first one of a fault.
Result<environment::Description> environment_of(Session& session, const std::string& target)
{
  FL_TRY(const std::vector<environment::Description> all, descriptions(session));
  if (const environment::Description* found = environment::find(all, target)) {
    return *found;
  }
  FL_TRY(const catalog::Catalog* faults, session.catalog());
  if (const catalog::Fault* fault = faults->find(target)) {
    return find_description(session, fault->environments.front());
  }
  return Error{ErrorKind::not_found,
               format("`{}` is neither an environment (`faultline env list`) nor a fault{}",
                      target,
                      catalog::hint_for(target, *faults))};
}

Result<int> run(Session& session, const Options& options)
{
  FL_TRY(const environment::Description one, environment_of(session, options.target));
  const std::string text = options.format == "requirements" ? environment::requirements_txt(one)
                           : options.format == "conda"      ? environment::environment_yml(one)
                                                            : environment::dockerfile(one);
  if (options.output.empty()) {
    session.print(text);
    return k_exit_ok;
  }
  FL_CHECK(write_output(options.output, text));
  return k_exit_ok;
}

} // namespace

Subcommand declare_env_export(Arguments& arguments, Session& session)
{
  Arguments command =
      arguments.command("export",
                        "write an environment, or that of a fault, for pip, conda or Docker",
                        "faultline env export keras2 --format docker --output Dockerfile\n"
                        "faultline env export pytorch-loss-data-index --format conda");
  auto options = std::make_shared<Options>();
  command.option("target", options->target, "an environment or a fault")
      .required()
      .named("NAME|ID");
  command.option("--format", options->format, "requirements (default), conda, docker")
      .one_of({"requirements", "conda", "docker"})
      .named("NAME");
  command.option("--output", options->output, "write it to this file").named("FILE");
  return {command, [options, &session] { return run(session, *options); }};
}

} // namespace faultline::cli
