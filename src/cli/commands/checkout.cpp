#include "catalog/checkout.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "run/compiler.hpp"

namespace faultline::cli {

namespace {

struct Options {
  std::string id;
  std::string folder;
  std::string version = "buggy";
  bool history = false;
};

Result<int> run(Session& session, const Options& options)
{
  FL_TRY(const catalog::Fault* fault, session.fault(options.id));
  FL_TRY(const std::filesystem::path packages, session.packages());
  catalog::CheckoutConfig config;
  config.folder = options.folder;
  config.version = options.version == "fixed" ? catalog::Version::fixed : catalog::Version::buggy;
  config.history = options.history;
  FL_CHECK(catalog::check_out(*fault, {session.probes(), packages}, config));
  std::string text = format("{} ({}) is in {}\n\n", fault->id, options.version, options.folder);
  text += format("  cd {}/program\n", options.folder);
  if (fault->run.compile) {
    const std::vector<std::string> compile =
        run::plain_compile_command(fault->run.compile->sources, fault->run.compile->output);
    text += "  " + join(compile, " ") + "\n";
  }
  text += "  " + join(fault->run.command, " ") + "\n";
  text += "  " + join(fault->run.test, " ") +
          format("        # or: faultline test {}\n", options.folder);
  if (options.history) {
    text += "  git switch fixed        # or: git switch buggy\n";
  }
  session.print(text);
  return k_exit_ok;
}

} // namespace

Action declare_checkout(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("id", options->id, "the fault").required().named("ID");
  arguments.option("folder", options->folder, "where to write it; a new or empty folder")
      .required()
      .named("FOLDER");
  arguments.option("--version", options->version, "which version: buggy (default), fixed")
      .one_of({"buggy", "fixed"})
      .named("NAME");
  arguments.flag(
      "--history", options->history, "make it a git repository with the branches buggy and fixed");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
