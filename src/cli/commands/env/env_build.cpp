#include "base/file.hpp"
#include "base/format.hpp"
#include "base/shell.hpp"
#include "base/text.hpp"
#include "cli/commands/env/env.hpp"
#include "environment/built.hpp"
#include "environment/driver.hpp"
#include "provision/builder.hpp"
#include "provision/disk_use.hpp"
#include "provision/lock.hpp"
#include "run/interrupt.hpp"

#include <algorithm>
#include <iostream>

namespace faultline::cli {

namespace {

namespace fs = std::filesystem;

using environment::Description;

struct Options {
  std::vector<std::string> names;
  std::string driver;
  bool dry_run = false;
  bool fresh = false;
};

void say(std::string_view line)
{
  std::cerr << line << "\n" << std::flush;
}

// Those that were named, or what the faultload needs.
Result<std::vector<Description>> wanted(const Session& session, const Options& options)
{
  std::vector<Description> chosen;
  for (const std::string& name : options.names) {
    FL_TRY(Description one, find_description(session, name));
    chosen.push_back(std::move(one));
  }
  if (chosen.empty()) {
    FL_TRY(const std::vector<Description> all, descriptions(session));
    std::ranges::copy_if(all, std::back_inserter(chosen), [](const Description& one) {
      return one.is_default && one.driver != environment::k_system.name;
    });
  }
  return chosen;
}

std::string shown(const provision::Plan& plan)
{
  std::string text = format("# {}, by the driver {}, in {}\n",
                            plan.description.name,
                            plan.driver->name,
                            plan.site.folder.string());
  for (const environment::Step& step : plan.steps) {
    text += format("# {}\n", step.title);
    std::string line;
    for (const std::string& word : step.command) {
      line += (line.empty() ? "" : " ") + shell_word(word);
    }
    text += line + "\n";
  }
  return text;
}

Result<void> build_one(const Session& session, const provision::Plan& plan, bool fresh)
{
  const Description& one = plan.description;
  if (one.download_mb > 0) {
    const Result<fs::path> kept = environment::environments_folder();
    if (kept && (fresh || !environment::find_built(one, *kept))) {
      say(format("{}: {}; fetches about {} MB, takes about {} on disk",
                 one.name,
                 one.title,
                 one.download_mb,
                 provision::print_size(static_cast<uint64_t>(one.size_mb) * 1'000'000)));
    }
  }
  FL_TRY(const provision::Build build, provision::build(plan, session.probes(), fresh, say));
  const environment::Built& built = build.built;
  session.print(build.was_there ? format("{} is built: {}\n", one.name, built.folder.string())
                                : format("{} built in {:.0f} s, {} fetched, {} on disk: {}\n",
                                         one.name,
                                         built.seconds,
                                         provision::print_size(built.downloaded_bytes),
                                         provision::print_size(built.bytes),
                                         built.folder.string()));
  for (const std::string& note : build.notes) {
    session.print(format("  {}\n", note));
  }
  return {};
}

Result<int> run(const Session& session, const Options& options)
{
  FL_TRY(const std::vector<Description> chosen, wanted(session, options));
  FL_TRY(const fs::path kept, environment::environments_folder());
  run::catch_interrupts();
  for (const Description& one : chosen) {
    FL_TRY(const provision::Plan plan,
           provision::plan_build(one, options.driver, kept, options.dry_run));
    if (options.dry_run) {
      session.print(shown(plan));
    } else if (const Result<void> built = build_one(session, plan, options.fresh); !built) {
      if (run::interrupted()) {
        std::cerr << "faultline: " << built.error().line() << "\n";
        return k_exit_interrupted;
      }
      return built.error();
    }
  }
  return k_exit_ok;
}

Result<int> write_lock(const Session& session, const std::string& name)
{
  FL_TRY(const Description one, find_description(session, name));
  FL_TRY(const fs::path kept, environment::environments_folder());
  FL_TRY(const std::string text, provision::make_lock(one, kept, say));
  const fs::path file = one.folder / environment::k_lock_file;
  FL_CHECK(write_file(file, text));
  session.print(
      format("{}: {}\n", file.string(), count_of(split_lines(text).size() - 1, "package")));
  return k_exit_ok;
}

} // namespace

Subcommand declare_env_build(Arguments& arguments, Session& session)
{
  Arguments command = arguments.command("build",
                                        "build environments; what is built is not built again",
                                        "faultline env build\n"
                                        "faultline env build keras2 keras3\n"
                                        "faultline env build keras2 --driver conda --dry-run");
  auto options = std::make_shared<Options>();
  command.option("name", options->names, "which (what the faultload needs)").named("NAME");
  command
      .option("--driver",
              options->driver,
              format("build it in another way than it says: {}",
                     join(environment::driver_names(), ", ")))
      .named("NAME");
  command.flag("--dry-run", options->dry_run, "print the commands, and do nothing");
  command.flag(
      "--fresh", options->fresh, "build again, and say what differs from the build before");
  return {command, [options, &session] { return run(session, *options); }};
}

Subcommand declare_env_lock(Arguments& arguments, Session& session)
{
  Arguments command = arguments.command(
      "lock",
      "write lock.txt: every package with its version and digest, as it would be installed today",
      "faultline env lock keras2");
  auto name = std::make_shared<std::string>();
  command.option("name", *name, "the environment").required().named("NAME");
  return {command, [name, &session] { return write_lock(session, *name); }};
}

} // namespace faultline::cli
