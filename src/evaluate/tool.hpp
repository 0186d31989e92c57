#pragma once

#include "base/result.hpp"
#include "catalog/scheme.hpp"
#include "source/finding.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace faultline::evaluate {

enum class Approach { without_running, running }; // `static`, `dynamic` in the file
enum class OutputFormat { sarif, json, text };

// Where a finding's parts stand in a tool's JSON: keys and numbers joined by dots.
struct JsonKeys {
  std::string findings; // the list; empty: the whole
  std::string rule;
  std::string file;
  std::string line;
  std::string message;
  std::string type;
  std::string severity;
};

// How to read what a tool prints.
struct OutputSpec {
  OutputFormat format = OutputFormat::json;
  bool with_errors = false; // standard error is part of it
  JsonKeys keys;
  std::vector<std::string> patterns; // PCRE2, with named groups
};

struct ToolLimits {
  double timeout_seconds = 60;
  size_t memory_mib = 1024;
  size_t output_mib = 32;
  size_t processes = 64;
};

// A detector as its file describes it: tools/NAME.toml.
struct Tool {
  std::string name;
  std::string summary;
  std::filesystem::path file;
  std::vector<std::string> members; // a union of these tools has nothing of what follows

  Approach approach = Approach::without_running;
  std::vector<std::string> command; // with placeholders
  std::set<std::string> frameworks; // empty: any
  std::set<std::string> languages;  // empty: any
  std::vector<std::string> needs;   // files or programs of the machine
  std::string install;              // how to get them
  std::vector<std::string> folders; // mounted where they are
  std::string environment;          // a named one that it is started in; empty for the machine
  std::vector<std::string> version; // a command that prints it
  std::set<int> exit_statuses = {0};
  bool any_exit_status = false;
  ToolLimits limits;
  OutputSpec output;
  std::set<source::Severity> levels = {source::Severity::error, source::Severity::warning};
  std::map<std::string, source::Severity> severities; // the tool's word → ours
  std::map<std::string, std::string> types;           // rule → leaf of the fault types

  bool is_union() const { return !members.empty(); }
  bool uses(std::string_view placeholder) const;
  // What the tool's word for a severity means; a word that nobody knows is a warning.
  source::Severity severity_of(const std::string& word) const;
};

// Reads one description and checks all of it; an error names file and line.
Result<Tool> load_tool(const std::filesystem::path& file, const catalog::Schemes& schemes);

// The tools that are asked for, by name (tools/NAME.toml below `folder`) or by a path to a file;
// all of the folder if none is. Members of unions come along; `asked` tells which were meant.
struct Toolbox {
  std::vector<Tool> tools;
  std::vector<size_t> asked;

  const Tool* find(std::string_view name) const;
};
Result<Toolbox> load_tools(const std::filesystem::path& folder,
                           const std::vector<std::string>& names,
                           const catalog::Schemes& schemes);

} // namespace faultline::evaluate
