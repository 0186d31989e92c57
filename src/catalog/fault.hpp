#pragma once

#include "base/file.hpp"
#include "base/result.hpp"
#include "catalog/scheme.hpp"
#include "source/edit.hpp"
#include "source/patch.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::catalog {

// One value for each scheme, in the order of k_scheme_names.
struct Labels {
  std::array<std::string, k_scheme_names.size()> values;
  std::set<std::string> published; // names of the schemes whose value a study published

  const std::string& get(std::string_view scheme) const;
};

struct Location {
  std::string file;
  std::vector<int> lines; // of the buggy program, counted from 1
};

struct Origin {
  std::string kind; // stack_overflow | github | study | injected
  std::string url;
  std::string dataset; // where the labels were published, if they were
  std::string record;  // its row there
};

// One thing that is wrong with a program, with its own fix. Most faults have one part.
struct Part {
  std::string name; // empty for the only part of a fault
  std::string title;
  std::string patch_file;
  source::Patch patch;
  Labels labels;
  Location location;
};

// Another right answer: a fix that is as good, or a place that can rightly be blamed.
struct Accepted {
  std::string part; // which part it answers; empty for the only one
  std::string patch_file;
  std::optional<source::Patch> patch;
  std::optional<Location> location;
  std::string fix_pattern; // of the other fix, if it differs
  std::string type;        // leaf of the types: another name that fits the fault as well
  std::string why;
};

struct StatisticalOracle {
  std::string metric;
  bool higher_is_better = true;
  double threshold = 0;
  int seeds = 0;
  std::string test; // mann-whitney | welch
  double alpha = 0;
  double effect = 0; // A12 (mann-whitney) or Cohen's d (welch) in favour of the fixed version
};

struct Oracle {
  std::string evidence; // a regular expression that shows the declared symptom in the buggy log
  std::optional<StatisticalOracle> statistical;
};

struct Compile {
  std::vector<std::string> sources;
  std::string output;
};

struct RunSpec {
  std::vector<std::string> command;
  std::vector<std::string> test;
  double timeout_seconds = 30;
  size_t memory_mib = 1024;
  std::optional<Compile> compile;
};

struct Realism {
  std::string api;  // same | ported
  std::string data; // same | stand-in
  std::string fix;  // accepted | equivalent
  std::string note;
};

// A fault that turned out to be none. Its folder stays, so that its id is never given again.
struct Withdrawn {
  std::string version; // the first version without it
  std::string date;    // 2026-11-16
  std::string reason;
};

// A fault as its folder describes it, checked: labels exist, files are there, patches apply.
struct Fault {
  std::string id;
  std::string title;
  std::string framework; // one of k_frameworks
  std::string split;     // dev | test
  bool silent = false;
  std::string summary;
  std::string general;
  Origin origin;
  std::vector<Part> parts; // at least one
  std::vector<Accepted> accepted;
  RunSpec run;
  Oracle oracle;
  std::vector<std::string> environments; // in which it is proved, the usual one first
  std::vector<std::string>
      absent_in; // in which the buggy version passes: their versions lack the fault
  std::vector<std::string> data;
  Realism realism;
  std::optional<Withdrawn> withdrawn;

  std::filesystem::path folder;
  FileTree program; // the buggy version
  std::string test_file;
  std::string test_text;

  const Part* find_part(std::string_view name) const;
  std::string language() const;
};

// The frameworks whose faults can be run.
inline constexpr std::array<std::string_view, 5> k_frameworks = {
    "pytorch", "keras", "tensorflow", "tfjs", "libtorch"};

Result<Fault> load_fault(const std::filesystem::path& folder, const Schemes& schemes);

// The program with some parts fixed: the edits of their patches, merged.
enum class Version { buggy, fixed };
Result<FileTree> program_of(const Fault& fault, Version version);
// All parts fixed but `part`.
Result<FileTree> program_without_fix(const Fault& fault, const Part& part);
// Fixed, with the accepted alternative instead of the patch of the part that it answers.
Result<FileTree> program_with(const Fault& fault, const Accepted& accepted);
// The whole fix as one patch against the buggy program.
Result<source::Patch> fix_of(const Fault& fault);

} // namespace faultline::catalog
