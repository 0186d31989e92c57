#include "environment/built.hpp"

#include "base/content_digests.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cstdlib>

namespace faultline::environment {

namespace fs = std::filesystem;

// Digits of the digest in the name of a folder.
constexpr size_t k_digits = 12;

Result<fs::path> environments_folder()
{
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? fs::path() : fs::path(value);
  };
  if (const fs::path chosen = set("FAULTLINE_ENVIRONMENTS"); !chosen.empty()) {
    return fs::absolute(chosen);
  }
  if (const fs::path cache = set("XDG_CACHE_HOME"); cache.is_absolute()) {
    return cache / "faultline/environments";
  }
  if (const fs::path user = set("HOME"); user.is_absolute()) {
    return user / ".cache/faultline/environments";
  }
  return Error{ErrorKind::usage,
               "no folder to keep environments in: set FAULTLINE_ENVIRONMENTS or HOME"};
}

fs::path folder_of(const Description& description, const fs::path& environments)
{
  return environments / (description.name + "-" + digest_of(description).substr(0, k_digits));
}

fs::path downloads_folder(const fs::path& environments)
{
  return environments / "downloads";
}

std::string base_of(const fs::path& folder)
{
  std::error_code code;
  const fs::path python = fs::canonical(folder / "bin/python3", code);
  if (code) {
    return {};
  }
  const auto size = fs::file_size(python, code);
  const auto time = fs::last_write_time(python, code).time_since_epoch().count();
  return format("{} {} {}", python.string(), size, time);
}

std::optional<Built> read_record(const fs::path& folder)
{
  const Result<std::string> text = read_file(folder / k_record_file);
  const Json json = text ? parse_json(*text) : Json();
  if (!json.is_object()) {
    return std::nullopt;
  }
  Built built;
  built.folder = folder;
  built.driver = json.value("driver", "");
  built.python = json.value("python", "");
  built.content = json.value("content", "");
  built.base = json.value("base", "");
  built.libtorch = json.value("libtorch", "");
  built.compiler = json.value("compiler", "");
  built.bytes = json.value("bytes", uint64_t{0});
  built.downloaded_bytes = json.value("downloaded_bytes", uint64_t{0});
  built.seconds = json.value("seconds", 0.0);
  built.date = json.value("date", "");
  if (json.contains("packages") && json["packages"].is_object()) {
    for (const auto& [name, version] : json["packages"].items()) {
      built.packages[name] = version.is_string() ? version.get<std::string>() : "";
    }
  }
  return built;
}

Result<void> write_record(const Built& built)
{
  const Json json = {{"driver", built.driver},
                     {"python", built.python},
                     {"content", built.content},
                     {"base", built.base},
                     {"libtorch", built.libtorch},
                     {"compiler", built.compiler},
                     {"bytes", built.bytes},
                     {"downloaded_bytes", built.downloaded_bytes},
                     {"seconds", built.seconds},
                     {"date", built.date},
                     {"packages", built.packages}};
  return write_file(built.folder / k_record_file, print_json(json));
}

std::optional<Built> find_built(const Description& description, const fs::path& environments)
{
  std::optional<Built> built = read_record(folder_of(description, environments));
  const Driver* driver = built ? find_driver(built->driver) : nullptr;
  if (driver == nullptr ||
      (driver->layout == Layout::prefix && built->base != base_of(built->folder))) {
    return std::nullopt;
  }
  return built;
}

// Names the folder, a time, or what was left over from building.
static bool is_incidental(const fs::path& path)
{
  const std::string text = path.generic_string();
  return text == k_record_file || text == k_manifest_file || text.starts_with("bin/") ||
         text == "pyvenv.cfg" || text.ends_with(".dist-info/RECORD") ||
         text.ends_with(".dist-info/REQUESTED") || text.starts_with("var/") ||
         text.starts_with("etc/") || text.starts_with("tmp/");
}

std::string manifest_of(const fs::path& folder)
{
  std::vector<fs::path> files;
  std::error_code code;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code);
  for (; !code && at != fs::recursive_directory_iterator(); at.increment(code)) {
    if (at->is_regular_file(code) && !at->is_symlink(code)) {
      fs::path inner = at->path().lexically_relative(folder);
      if (!is_incidental(inner)) {
        files.push_back(std::move(inner));
      }
    }
  }
  std::ranges::sort(files);
  std::string manifest;
  ContentDigests contents;
  for (const fs::path& file : files) {
    manifest += format("{} {}\n", file.generic_string(), contents.of(folder / file));
  }
  return manifest;
}

std::vector<std::string> differing(std::string_view before, std::string_view after)
{
  std::map<std::string_view, std::string_view> old;
  const auto name_of = [](std::string_view line) { return line.substr(0, line.rfind(' ')); };
  for (const std::string_view line : split_lines(before)) {
    old[name_of(line)] = line;
  }
  std::vector<std::string> paths;
  for (const std::string_view line : split_lines(after)) {
    const auto found = old.find(name_of(line));
    if (found == old.end() || found->second != line) {
      paths.emplace_back(name_of(line));
    }
    if (found != old.end()) {
      old.erase(found);
    }
  }
  for (const auto& [path, line] : old) {
    paths.emplace_back(path);
  }
  std::ranges::sort(paths);
  return paths;
}

std::vector<std::string> differing_packages(std::string_view before, std::string_view after)
{
  const auto parts = [](std::string_view line) {
    const size_t equals = line.find('=');
    return std::pair(line.substr(0, equals),
                     equals == std::string_view::npos ? "" : line.substr(equals + 1));
  };
  std::map<std::string_view, std::string_view> old;
  for (const std::string_view line : split_lines(before)) {
    if (!line.starts_with('#') && !line.empty()) {
      old.insert(parts(line));
    }
  }
  std::vector<std::string> notes;
  for (const std::string_view line : split_lines(after)) {
    const auto [name, version] = parts(line);
    const auto found = old.find(name);
    if (found == old.end()) {
      notes.push_back(format("{} {} (was not there)", name, version));
    } else if (found->second != version) {
      notes.push_back(format("{} {} (was {})", name, version, found->second));
    }
    if (found != old.end()) {
      old.erase(found);
    }
  }
  for (const auto& [name, version] : old) {
    notes.push_back(format("no {} (was {})", name, version));
  }
  return notes;
}

} // namespace faultline::environment
