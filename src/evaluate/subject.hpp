#pragma once

#include "catalog/fault.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace faultline::evaluate {

// What tools are run on: a buggy program, its fixed version, and the right answers, which no tool
// ever sees.
struct Subject {
  std::string id;
  std::string title;
  std::string framework; // empty if nobody says
  std::string language;
  FileTree buggy;
  FileTree fixed;
  std::string entry; // the file that is run
  std::vector<std::string> command;
  double timeout_seconds = 30;
  size_t memory_mib = 1024;
  std::vector<std::string> data;
  std::optional<catalog::Compile> compile;
  std::map<std::string, std::string> columns; // of a set: for `{set.NAME}`

  std::vector<std::string> types; // each is right
  std::vector<catalog::Location> places;
  std::map<std::string, std::set<std::string>> groups; // "framework" → "pytorch", …

  const FileTree& program(catalog::Version version) const
  {
    return version == catalog::Version::fixed ? fixed : buggy;
  }
};

// By what results are broken down, in the order in which they are shown.
inline constexpr std::string_view k_group_names[] = {
    "framework", "taxonomy", "symptom", "fix_pattern", "origin", "silent"};

Result<Subject> subject_of(const catalog::Fault& fault);

// Other people's programs: a folder with one CSV file, or such a file. Columns: `buggy` and `fixed`
// (files, relative to the CSV), `label` (a fault type, or empty), `lines` (of the buggy file: "3"
// or "3 7"); `framework` and any others are optional. The programs get neutral names.
Result<std::vector<Subject>> load_set(const std::filesystem::path& path,
                                      const catalog::Schemes& schemes);

} // namespace faultline::evaluate
