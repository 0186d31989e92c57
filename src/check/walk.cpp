#include "check/walk.hpp"

#include "base/file.hpp"
#include "check/ignore_patterns.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <set>

namespace faultline::check {

namespace fs = std::filesystem;

namespace {

// The patterns of one folder and of those above it, innermost first.
struct IgnoreChain {
  IgnorePatterns patterns;
  fs::path folder; // absolute
  std::shared_ptr<const IgnoreChain> above;

  bool ignores(const fs::path& path, EntryKind kind) const
  {
    for (const IgnoreChain* level = this; level != nullptr; level = level->above.get()) {
      const std::string relative = path.lexically_relative(level->folder).generic_string();
      if (const std::optional<bool> verdict = level->patterns.ignores(relative, kind)) {
        return *verdict;
      }
    }
    return false;
  }
};

using Chain = std::shared_ptr<const IgnoreChain>;

Chain with_patterns_of(const fs::path& folder, Chain above, const fs::path& file = ".gitignore")
{
  std::error_code code;
  if (!fs::is_regular_file(folder / file, code)) {
    return above;
  }
  const Result<std::string> text = read_file(folder / file);
  if (!text) {
    return above;
  }
  return std::make_shared<const IgnoreChain>(
      IgnoreChain{IgnorePatterns(*text), folder, std::move(above)});
}

// The folder itself, if it is the top of a repository, or the nearest such folder above.
std::optional<fs::path> repository_of(fs::path folder)
{
  std::error_code code;
  while (true) {
    if (fs::exists(folder / ".git", code)) {
      return folder;
    }
    if (!folder.has_parent_path() || folder.parent_path() == folder) {
      return std::nullopt;
    }
    folder = folder.parent_path();
  }
}

// The patterns of the folders above `folder`, as far as its repository goes.
Chain patterns_above(const fs::path& folder)
{
  const std::optional<fs::path> top = repository_of(folder);
  if (!top) {
    return nullptr;
  }
  Chain chain = with_patterns_of(*top, nullptr, ".git/info/exclude");
  fs::path at = *top;
  for (const fs::path& name : folder.lexically_relative(*top)) {
    if (name == ".") {
      break;
    }
    chain = with_patterns_of(at, chain);
    at /= name;
  }
  return chain;
}

bool is_program(const fs::path& path)
{
  return path.extension() == ".py" || path.extension() == ".ipynb";
}

// Folders that hold other people's or generated code.
bool is_foreign(const fs::path& folder)
{
  static constexpr std::array<std::string_view, 6> k_names = {
      "node_modules", "__pycache__", "build", "dist", "site-packages", "venv"};
  std::error_code code;
  return std::ranges::find(k_names, folder.filename().string()) != k_names.end() ||
         fs::exists(folder / "pyvenv.cfg", code);
}

class Walker {
public:
  explicit Walker(Walk& walk) : m_walk(walk) {}

  // `shown` is how the folder is named to the user.
  void folder(const fs::path& shown, const fs::path& absolute, const Chain& above)
  {
    std::error_code code;
    const Chain chain = with_patterns_of(absolute, above);
    std::vector<fs::directory_entry> entries;
    fs::directory_iterator it(absolute, code);
    for (; !code && it != fs::end(it); it.increment(code)) {
      entries.push_back(*it);
    }
    if (code) {
      m_walk.unreadable.push_back({shown.string(), code.message()});
      return;
    }
    for (const fs::directory_entry& entry : entries) {
      const fs::path name = entry.path().filename();
      if (name.string().starts_with('.')) {
        continue;
      }
      const bool is_folder = entry.is_directory(code);
      if (is_folder ? entry.is_symlink(code) || is_foreign(entry.path()) : !is_program(name)) {
        continue;
      }
      const EntryKind kind = is_folder ? EntryKind::folder : EntryKind::file;
      if (chain != nullptr && chain->ignores(entry.path(), kind)) {
        continue;
      }
      if (is_folder) {
        folder(shown / name, entry.path(), chain);
      } else if (entry.is_regular_file(code)) {
        m_walk.files.push_back((shown / name).lexically_normal().string());
      }
    }
  }

private:
  Walk& m_walk;
};

} // namespace

Walk find_programs(const std::vector<std::string>& paths)
{
  Walk walk;
  for (const std::string& path : paths) {
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (fs::is_directory(status)) {
      const fs::path absolute = fs::absolute(path, code).lexically_normal();
      const fs::path folder = absolute.has_filename() ? absolute : absolute.parent_path();
      Walker(walk).folder(path, folder, patterns_above(folder));
    } else if (fs::is_regular_file(status) || fs::is_character_file(status) ||
               fs::is_fifo(status)) {
      walk.files.push_back(fs::path(path).lexically_normal().string());
    } else {
      walk.unreadable.push_back({path, code ? code.message() : "it is no file or folder"});
    }
  }
  std::ranges::sort(walk.files);
  walk.files.erase(std::unique(walk.files.begin(), walk.files.end()), walk.files.end());
  return walk;
}

} // namespace faultline::check
