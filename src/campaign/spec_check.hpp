#pragma once

// What a campaign.toml says of the program, held against the program's files.

#include "base/file.hpp"
#include "campaign/spec.hpp"

namespace faultline::campaign {

// "data.py", "train.py:load", "model.py:Net.forward", "model.py:10-40".
Result<Region> parse_region(const std::string& text);

bool is_module_name(std::string_view name); // "torch.nn"

// Whether `pattern` describes `path`: without a slash it is about the file's name, with one about
// the path from the program's folder; `**` is any number of folders.
bool pattern_matches(const std::string& pattern, const std::string& path);

class SpecChecker {
public:
  SpecChecker() = default; // accepts everything: there are no files to look at
  explicit SpecChecker(FileTree files) : m_files(std::move(files)), m_looks(true) {}

  Result<void> command(const std::vector<std::string>& command) const;
  Result<void> region(const Region& region) const;
  bool matches_python_file(const std::string& pattern) const;

private:
  FileTree m_files;
  bool m_looks = false;
};

} // namespace faultline::campaign
