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
  std::string environment; // that its program runs in; empty for the machine
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

// What tools can be for: more than faults are written with.
const std::vector<std::string>& known_frameworks();

// Other people's programs: a folder with one CSV file, or such a file. Columns: `buggy` and `fixed`
// (files, relative to the CSV), `label` (a fault type, or empty), `lines` (of the buggy file: "3"
// or "3 7"); `framework` and any others are optional. The programs get neutral names. A set
// without programs is an error.
Result<std::vector<Subject>> load_set(const std::filesystem::path& path,
                                      const catalog::Schemes& schemes);

// Which programs of a set are meant. Several values of one key mean any of them; several keys all.
struct SetFilter {
  std::vector<std::string> ids;
  std::vector<std::string> types; // each with all below it
  std::vector<std::string> frameworks;
};

// The programs that pass, in their order. An error if a name is unknown to the set, or none passes.
Result<std::vector<Subject>>
select_from_set(std::vector<Subject> set, const SetFilter& filter, const catalog::Schemes& schemes);

} // namespace faultline::evaluate
