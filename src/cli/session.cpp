#include "cli/session.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/data_sets.hpp"
#include "catalog/filter.hpp"
#include "run/installation.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace faultline::cli {

namespace fs = std::filesystem;

static ColourMode mode_of(const std::string& option)
{
  return option == "always"  ? ColourMode::always
         : option == "never" ? ColourMode::never
                             : ColourMode::automatic;
}

Result<fs::path> Session::root() const
{
  const char* variable = std::getenv("FAULTLINE_ROOT");
  const std::string asked = !root_option.empty()  ? root_option
                            : variable != nullptr ? variable
                                                  : "";
  if (!asked.empty()) {
    const std::optional<fs::path> found = catalog::find_root(asked);
    std::error_code code;
    if (!found || !fs::equivalent(*found, asked, code)) {
      return Error{
          ErrorKind::not_found,
          format("{} has no faults/ and taxonomy/ (--root names the project's folder)", asked)};
    }
    return *found;
  }
  std::error_code code;
  if (const std::optional<fs::path> found = catalog::find_root(fs::current_path(code))) {
    return *found;
  }
  const fs::path& own = run::installation().data;
  if (!own.empty() && fs::is_directory(own / "faults", code)) {
    return own;
  }
  return Error{
      ErrorKind::not_found,
      "no faultload found: run this in the project's folder or name the folder with --root"};
}

fs::path Session::probes() const
{
  return run::installation().probes();
}

Result<fs::path> Session::packages() const
{
  FL_TRY(const fs::path project, root());
  return run::packages_folder(project);
}

// `project` if it has a folder of that name, or else what came with this program.
static fs::path folder_with(const fs::path& project, const char* name)
{
  std::error_code code;
  return fs::is_directory(project / name, code) ? project : run::installation().data;
}

Result<fs::path> Session::tools() const
{
  FL_TRY(const fs::path project, root());
  return folder_with(project, "tools") / "tools";
}

Result<fs::path> Session::described() const
{
  FL_TRY(const fs::path project, root());
  return folder_with(project, "environments");
}

Result<const catalog::Catalog*> Session::catalog()
{
  if (!m_catalog) {
    FL_TRY(const fs::path folder, root());
    FL_TRY(m_catalog, catalog::load_catalog(folder));
    for (const Error& problem : m_catalog->problems) {
      report_error(problem, err());
    }
  }
  return &*m_catalog;
}

Result<const catalog::Fault*> Session::fault(const std::string& id)
{
  FL_TRY(const catalog::Catalog* all, catalog());
  if (const catalog::Fault* found = all->find(id)) {
    return found;
  }
  return Error{ErrorKind::not_found,
               format("unknown fault `{}`{}", id, catalog::hint_for(id, *all))};
}

Result<fs::path> Session::home() const
{
  if (const char* variable = std::getenv("FAULTLINE_HOME");
      variable != nullptr && *variable != '\0') {
    return fs::path(variable);
  }
  FL_TRY(const fs::path folder, root());
  const run::Installation& own = run::installation();
  if (!own.is_installed || folder != own.data) {
    return folder / ".faultline";
  }
  // The faultload that is installed for everybody is nobody's to write to.
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? fs::path() : fs::path(value);
  };
  if (const fs::path state = set("XDG_STATE_HOME"); state.is_absolute()) {
    return state / "faultline";
  }
  if (const fs::path user = set("HOME"); user.is_absolute()) {
    return user / ".local/state/faultline";
  }
  return Error{ErrorKind::usage,
               "no folder to keep results in: set FAULTLINE_HOME, or run in a project's folder"};
}

Result<run::OutcomeStore*> Session::store()
{
  if (!m_store) {
    FL_TRY(const fs::path folder, home());
    FL_TRY(run::OutcomeStore opened, run::OutcomeStore::open(folder / "store.sqlite"));
    m_store = std::make_unique<run::OutcomeStore>(std::move(opened));
  }
  return m_store.get();
}

Result<const run::Environments*> Session::environments()
{
  if (!m_environments) {
    FL_TRY(const fs::path folder, root());
    FL_TRY(const fs::path with_descriptions, described());
    FL_TRY(run::Environments found,
           run::discover_environments(folder, with_descriptions, catalog::data_sets()));
    m_environments.emplace(std::move(found));
  }
  return &*m_environments;
}

Result<const run::Environment*> Session::environment()
{
  FL_TRY(const run::Environments* all, environments());
  return &all->machine();
}

Painter Session::out() const
{
  return Painter(shows_colour(STDOUT_FILENO, mode_of(colour_option)));
}

Painter Session::err() const
{
  return Painter(shows_colour(STDERR_FILENO, mode_of(colour_option)));
}

size_t Session::width() const
{
  return is_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0;
}

void Session::print(std::string_view text) const
{
  std::cout << text;
}

void Session::print_json(const Json& json) const
{
  std::cout << faultline::print_json(json);
}

int report_error(const Error& error, const Painter& paint)
{
  std::cerr << "faultline: " << paint(Colour::red, "error:") << ' '
            << replace_all(error.line(), "\n", " ") << '\n';
  const bool machine = error.kind == ErrorKind::machine || error.kind == ErrorKind::io ||
                       error.kind == ErrorKind::internal;
  return machine ? k_exit_machine : k_exit_wrong;
}

} // namespace faultline::cli
