#pragma once

#include "base/file.hpp"
#include "base/json.hpp"
#include "trace/symptom.hpp"

namespace faultline::cli {

// A symptom as JSON: code, name, group, severity, confidence, summary, type, fix_pattern.
Json symptom_json(const trace::Symptom& symptom);

// One page per symptom and index.md, as in docs/symptoms/: file name → content.
FileTree symptom_pages();

} // namespace faultline::cli
