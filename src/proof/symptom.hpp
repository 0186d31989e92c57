#pragma once

#include "catalog/fault.hpp"
#include "run/outcome.hpp"

#include <string>

namespace faultline::proof {

// Whether `pattern` (PCRE2) matches some line of `log`.
bool matches(const std::string& log, const std::string& pattern);

// Empty if the buggy run shows the symptom that the fault declares: its log matches the evidence,
// and the run ended in the way that the symptom means. Otherwise what is missing.
std::string missing_symptom(const catalog::Fault& fault, const run::RunOutcome& outcome);

} // namespace faultline::proof
