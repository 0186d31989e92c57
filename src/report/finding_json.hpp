#pragma once

#include "base/json.hpp"
#include "source/file_set.hpp"
#include "source/finding.hpp"

namespace faultline::report {

// {rule, severity, confidence, file, line, column, end_line, end_column, message, type,
// fix_pattern, notes, …}. The shape only ever grows.
Json finding_json(const source::Finding& finding, const source::FileSet& files);

} // namespace faultline::report
