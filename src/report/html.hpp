#pragma once

#include "base/json.hpp"

#include <string>
#include <string_view>

namespace faultline::report {

// Any bytes as text of a page or of a quoted attribute: valid UTF-8, nothing in it is markup.
std::string escape_html(std::string_view text);

// JSON for the inside of a <script> element, where no text can end it.
std::string json_for_script(const Json& value);

// A script's text for the inside of a <script> element. It may not have "</script" but in strings,
// regular expressions and comments, where a backslash more changes nothing.
std::string text_for_script(std::string_view script);

} // namespace faultline::report
