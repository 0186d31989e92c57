#pragma once

#include "base/result.hpp"
#include "check/ignore_patterns.hpp"
#include "source/finding.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace faultline::check {

// The section [tool.faultline] of a pyproject.toml:
//   select = ["default", "NU"]          rules to run
//   ignore = ["DL213"]                  rules not to run
//   exclude = ["legacy/", "**/gen.py"]  files not to check; patterns as in .gitignore
//   severity = "error"                  the least that is shown: info, warning or error
//   [tool.faultline.per-file-ignores]
//   "tests/*" = ["DL1"]
struct Config {
  std::filesystem::path folder; // of the file, absolute; empty if there is none
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::vector<std::string> exclude;
  std::optional<source::Severity> severity;
  struct PerFile {
    IgnorePatterns files;
    std::vector<std::string> ignore;
  };
  std::vector<PerFile> per_file;

  // `path` as the patterns see it; empty if it is not below the folder.
  std::string relative(const std::string& path) const;
  bool excludes(const std::string& path) const;
};

// What `text`, the content of the pyproject.toml `file`, says; nothing if it has no such section.
Result<std::optional<Config>> parse_config(std::string_view text, const std::string& file);

// Finds the configuration of files: that of the nearest pyproject.toml with the section.
class ConfigFinder {
public:
  // Defaults if there is none. The result is valid as long as this object.
  Result<const Config*> config_of(const std::string& path);

private:
  Result<const Config*> of_folder(const std::filesystem::path& folder);

  std::map<std::filesystem::path, const Config*> m_by_folder;
  std::vector<std::unique_ptr<const Config>> m_configs;
  Config m_default;
};

std::optional<source::Severity> severity_named(std::string_view name);

} // namespace faultline::check
