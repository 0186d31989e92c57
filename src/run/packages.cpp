#include "run/packages.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "run/capture.hpp"

#include <algorithm>
#include <cctype>

namespace faultline::run {

namespace fs = std::filesystem;

static bool is_identifier(std::string_view word)
{
  const auto fits = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || c == '_' || std::isalnum(byte) != 0;
  };
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) == 0 &&
         std::ranges::all_of(word, fits);
}

// The folder that the top-level package `name` is installed in.
static Result<fs::path>
folder_of(const Python& python, const fs::path& probes, const std::string& name)
{
  FL_TRY(const Captured answer,
         capture({python.path.string(), (probes / "find_package.py").string(), name}));
  const Json json = parse_json(answer.output);
  if (answer.status != 0 || !json.is_object()) {
    return Error{ErrorKind::machine,
                 format("{} cannot say where `{}` is installed: {}",
                        python.path.string(),
                        name,
                        trim(answer.output))};
  }
  if (!json.value("found", false)) {
    return Error{ErrorKind::not_found,
                 format("{} has no package `{}`", python.path.string(), name)};
  }
  if (!json["folder"].is_string()) {
    return Error{ErrorKind::not_found, format("`{}` has no Python source", name)};
  }
  return fs::path(json["folder"].get<std::string>());
}

// The modules and packages of one folder, to guess which one was meant.
static std::vector<std::string> modules_in(const fs::path& folder, const std::string& prefix)
{
  std::vector<std::string> names;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    const bool is_file = entry.path().extension() == ".py";
    if (is_file || fs::exists(entry.path() / "__init__.py", code)) {
      names.push_back(prefix + entry.path().stem().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

static Result<void> add_file(const fs::path& path, const fs::path& folder, FileTree& files)
{
  FL_TRY(std::string text, read_file(path));
  files[path.lexically_relative(folder).generic_string()] = std::move(text);
  return {};
}

// Links are skipped: their targets belong to another package or are included already.
static Result<void> add_folder(const fs::path& below, const fs::path& folder, FileTree& files)
{
  std::error_code code;
  fs::recursive_directory_iterator at(below, code);
  for (; !code && at != fs::recursive_directory_iterator(); at.increment(code)) {
    if (at->is_symlink(code)) {
      continue;
    }
    if (at->is_regular_file(code) && at->path().extension() == ".py") {
      FL_CHECK(add_file(at->path(), folder, files));
    }
  }
  if (code) {
    return Error{ErrorKind::io, format("cannot read {}: {}", below.string(), code.message())};
  }
  return {};
}

Result<InstalledPackage> installed_package(const Environment& environment, const std::string& name)
{
  const std::vector<std::string_view> parts = split(name, '.');
  if (!std::ranges::all_of(parts, is_identifier)) {
    return Error{
        ErrorKind::usage,
        format("`{}` is no package name; write it as one imports it, like torch.nn", name)};
  }
  if (!environment.python) {
    return Error{ErrorKind::machine, *environment.missing("pytorch")};
  }
  InstalledPackage package;
  FL_TRY(package.folder,
         folder_of(*environment.python, environment.probes, std::string(parts.front())));
  fs::path above = package.folder;
  std::string prefix;
  for (const std::string_view part : parts) {
    const fs::path here = above / part;
    fs::path file = here;
    file += ".py";
    std::error_code code;
    const bool last = part.data() == parts.back().data();
    // As in Python, a package comes before a module of the same name.
    if (fs::is_directory(here, code)) {
      if (last) {
        FL_CHECK(add_folder(here, package.folder, package.files));
      }
    } else if (last && fs::is_regular_file(file, code)) {
      FL_CHECK(add_file(file, package.folder, package.files));
    } else {
      return Error{ErrorKind::not_found,
                   format("no Python source of `{}` in {}{}",
                          name,
                          above.string(),
                          did_you_mean(prefix + std::string(part), modules_in(above, prefix)))};
    }
    above = here;
    prefix += std::string(part) + ".";
  }
  if (package.files.empty()) {
    return Error{ErrorKind::not_found, format("`{}` has no Python source", name)};
  }
  return package;
}

} // namespace faultline::run
