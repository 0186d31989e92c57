#pragma once

#include "base/file.hpp"
#include "base/json.hpp"
#include "inject/operator.hpp"

#include <string>

namespace faultline::cli {

// An operator as JSON: code, name, acronym, level, type, setting, summary.
Json operator_json(const inject::Operator& op);

// "share: 0.01, 0.1, 0.5"; empty if it has none.
std::string describe_setting(const inject::Operator& op);

// One page per operator and index.md, as in docs/operators/: file name → content.
FileTree operator_pages();

} // namespace faultline::cli
