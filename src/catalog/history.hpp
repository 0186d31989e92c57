#pragma once

#include "base/file.hpp"
#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace faultline::catalog {

struct Branch {
  std::string name;
  std::string message;
  FileTree files;
};

// Make `folder` a git repository: one commit per branch, each on top of the one before, `current`
// checked out. Author and date are fixed, so that the same fault gives the same commits.
Result<void> write_history(const std::filesystem::path& folder,
                           const std::vector<Branch>& branches,
                           const std::string& current);

} // namespace faultline::catalog
