#pragma once

// SARIF 2.1.0, the OASIS format for results of static analysis that editors and code-scanning
// services read.

#include "base/json.hpp"
#include "source/file_set.hpp"
#include "source/finding.hpp"

#include <string>
#include <vector>

namespace faultline::report {

struct SarifRule {
  std::string code;
  std::string name;
  std::string summary;
  std::string help; // Markdown
  source::Severity severity = source::Severity::warning;
  source::Confidence confidence = source::Confidence::medium;
  std::vector<std::string> tags;
};

struct SarifRun {
  std::string version; // of the tool
  std::vector<SarifRule> rules;
  std::vector<source::Finding> findings;
  // Files that could not be read, with the reason.
  std::vector<std::pair<std::string, std::string>> unreadable;
};

Json sarif(const SarifRun& run, const source::FileSet& files);

} // namespace faultline::report
