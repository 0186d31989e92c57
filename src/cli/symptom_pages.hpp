#pragma once

#include "base/file.hpp"
#include "base/json.hpp"
#include "trace/symptom.hpp"

namespace faultline::cli {

// A symptom as data: code, name, group, severity, confidence, summary, type, fix_pattern.
Json symptom_json(const trace::Symptom& symptom);

// One page a symptom and index.md, as they are in docs/symptoms/: file name → content.
FileTree symptom_pages();

} // namespace faultline::cli
