#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/commands/env/env.hpp"
#include "environment/built.hpp"
#include "provision/disk_use.hpp"
#include "provision/removal.hpp"

#include <set>

namespace faultline::cli {

namespace {

namespace fs = std::filesystem;

using environment::Description;

// The folder and what lies beside it under the same name; how much that was. The record goes first:
// what is half removed is no environment.
Result<uint64_t> remove_environment(const fs::path& folder)
{
  const uint64_t bytes = provision::bytes_below(folder);
  std::error_code code;
  fs::remove(folder / environment::k_record_file, code);
  FL_CHECK(provision::remove_tree(folder));
  fs::remove(folder.string() + ".log", code);
  fs::remove(folder.string() + ".lock", code);
  return bytes;
}

// Folders of environments, by what they are called: "keras2-3f9c…".
std::vector<fs::path> folders_in(const fs::path& kept)
{
  std::vector<fs::path> folders;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(kept, code)) {
    if (entry.is_directory(code) && entry.path() != environment::downloads_folder(kept)) {
      folders.push_back(entry.path());
    }
  }
  return folders;
}

Result<int> remove(const Session& session, const std::string& name)
{
  FL_TRY(const Description one, find_description(session, name));
  FL_TRY(const fs::path kept, environment::environments_folder());
  uint64_t bytes = 0;
  size_t count = 0;
  for (const fs::path& folder : folders_in(kept)) {
    const std::string file = folder.filename().string();
    if (file.substr(0, file.rfind('-')) == one.name) {
      FL_TRY(const uint64_t freed, remove_environment(folder));
      bytes += freed;
      ++count;
    }
  }
  session.print(count == 0
                    ? format("{} is not built\n", one.name)
                    : format("{} removed, {} freed\n", one.name, provision::print_size(bytes)));
  return k_exit_ok;
}

Result<int> prune(const Session& session, bool downloads)
{
  FL_TRY(const std::vector<Description> all, descriptions(session));
  FL_TRY(const fs::path kept, environment::environments_folder());
  std::set<fs::path> used;
  for (const Description& one : all) {
    used.insert(environment::folder_of(one, kept));
  }
  uint64_t bytes = 0;
  for (const fs::path& folder : folders_in(kept)) {
    if (!used.contains(folder)) {
      session.print(format("removing {}\n", folder.filename().string()));
      FL_TRY(const uint64_t freed, remove_environment(folder));
      bytes += freed;
    }
  }
  if (downloads) {
    const fs::path folder = environment::downloads_folder(kept);
    bytes += provision::bytes_below(folder);
    std::error_code code;
    fs::remove_all(folder, code);
  }
  session.print(format("{} freed, {} still used\n",
                       provision::print_size(bytes),
                       provision::print_size(provision::bytes_below(kept))));
  return k_exit_ok;
}

} // namespace

Subcommand declare_env_remove(Arguments& arguments, Session& session)
{
  Arguments command = arguments.command(
      "remove", "remove a built environment; its downloads stay", "faultline env remove keras3");
  auto name = std::make_shared<std::string>();
  command.option("name", *name, "the environment").required().named("NAME");
  return {command, [name, &session] { return remove(session, *name); }};
}

Subcommand declare_env_prune(Arguments& arguments, Session& session)
{
  Arguments command = arguments.command("prune",
                                        "remove built environments that nothing describes any more",
                                        "faultline env prune\n"
                                        "faultline env prune --downloads");
  auto downloads = std::make_shared<bool>(false);
  command.flag("--downloads", *downloads, "remove what was fetched as well");
  return {command, [downloads, &session] { return prune(session, *downloads); }};
}

} // namespace faultline::cli
