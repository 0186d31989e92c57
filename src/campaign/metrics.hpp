#pragma once

#include "base/pattern.hpp"
#include "campaign/spec.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::campaign {

// The first group of the last match in `text`, where a match never spans lines.
std::optional<std::string> last_match(const Pattern& pattern, std::string_view text);

// What a run gave: metrics by name. One that was never printed or written, or is no number, is
// absent; NaN and infinities are values. `written` are the JSON files that the program wrote, by
// the name that the campaign gives.
std::map<std::string, double> read_metrics(const Spec& spec,
                                           std::string_view log,
                                           const std::map<std::string, std::string>& written);

// A number as programs print it: "0.93", "-inf", "nan", "NaN"; nothing if it is none.
std::optional<double> parse_number(std::string_view text);

} // namespace faultline::campaign
