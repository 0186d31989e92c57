#pragma once

#include "evaluate/finding.hpp"
#include "evaluate/tool.hpp"

#include <string_view>

namespace faultline::evaluate {

// What a tool printed, read as its description says.
ToolOutput read_output(std::string_view text, const OutputSpec& spec);

// SARIF 2.1.0: the results of all runs in their order, without those that are suppressed or of a
// kind that is no complaint.
ToolOutput read_sarif_output(std::string_view text);

ToolOutput read_json_output(std::string_view text, const JsonKeys& keys);

} // namespace faultline::evaluate
