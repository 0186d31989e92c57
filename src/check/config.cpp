#include "check/config.hpp"

#include "base/file.hpp"
#include "base/format.hpp"
#include "base/toml.hpp"
#include "rules/selection.hpp"

namespace faultline::check {

namespace fs = std::filesystem;

std::optional<source::Severity> severity_named(std::string_view name)
{
  for (const auto severity :
       {source::Severity::info, source::Severity::warning, source::Severity::error}) {
    if (name_of(severity) == name) {
      return severity;
    }
  }
  return std::nullopt;
}

std::string Config::relative(const std::string& path) const
{
  std::error_code code;
  const fs::path absolute = fs::absolute(path, code).lexically_normal();
  const std::string relative = absolute.lexically_relative(folder).generic_string();
  return folder.empty() || relative.starts_with("..") ? std::string() : relative;
}

bool Config::excludes(const std::string& path) const
{
  return !exclude.empty() && IgnorePatterns(exclude).covers(relative(path));
}

// The rules at `key`; a word that means none is a problem of the file.
static std::vector<std::string> rules_at(TomlReader& reader, const std::string& key)
{
  std::vector<std::string> words = reader.texts(key);
  for (const std::string& word : words) {
    if (const Result<void> known = rules::check_word(word); !known) {
      reader.refuse(key, known.error().message);
    }
  }
  return words;
}

Result<std::optional<Config>> parse_config(std::string_view text, const std::string& file)
{
  FL_TRY(const toml::table whole, parse_toml(text, file));
  const toml::table* section = whole["tool"]["faultline"].as_table();
  if (section == nullptr) {
    return std::optional<Config>();
  }
  TomlReader reader(*section, file);
  Config config;
  config.select = rules_at(reader, "select");
  config.ignore = rules_at(reader, "ignore");
  config.exclude = reader.texts("exclude");
  if (const std::optional<std::string> name = reader.optional_text("severity")) {
    config.severity = severity_named(*name);
    if (!config.severity) {
      reader.refuse("severity", format("`{}` must be info, warning or error", *name));
    }
  }
  if (std::optional<TomlReader> per_file = reader.optional_table("per-file-ignores")) {
    for (const std::string& pattern : per_file->keys()) {
      config.per_file.push_back(
          {IgnorePatterns(std::vector{pattern}), rules_at(*per_file, pattern)});
    }
  }
  FL_CHECK(reader.finish());
  return std::optional(std::move(config));
}

Result<const Config*> ConfigFinder::of_folder(const fs::path& folder)
{
  if (const auto known = m_by_folder.find(folder); known != m_by_folder.end()) {
    return known->second;
  }
  const fs::path file = folder / "pyproject.toml";
  std::error_code code;
  const Config* found = nullptr;
  if (fs::is_regular_file(file, code)) {
    FL_TRY(const std::string text, read_file(file));
    const fs::path shown = file.lexically_relative(fs::current_path(code));
    const bool below = !shown.empty() && !shown.string().starts_with("..");
    FL_TRY(std::optional<Config> config, parse_config(text, (below ? shown : file).string()));
    if (config) {
      config->folder = folder;
      found = m_configs.emplace_back(std::make_unique<const Config>(*std::move(config))).get();
    }
  }
  if (found == nullptr && folder.has_parent_path() && folder.parent_path() != folder) {
    FL_TRY(found, of_folder(folder.parent_path()));
  }
  found = found == nullptr ? &m_default : found;
  m_by_folder[folder] = found;
  return found;
}

Result<const Config*> ConfigFinder::config_of(const std::string& path)
{
  std::error_code code;
  const fs::path absolute = fs::absolute(path, code).lexically_normal();
  return of_folder(absolute.parent_path());
}

} // namespace faultline::check
