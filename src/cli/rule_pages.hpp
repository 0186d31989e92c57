#pragma once

#include "base/file.hpp"
#include "base/json.hpp"
#include "rules/rule.hpp"

namespace faultline::cli {

// A rule as JSON: code, name, group, severity, confidence, applies, on, summary, type, fix_pattern.
Json rule_json(const rules::Rule& rule);

// One page per rule and index.md, as in docs/rules/: file name → content.
FileTree rule_pages();

} // namespace faultline::cli
