#pragma once

#include <span>
#include <string>
#include <string_view>

namespace faultline {

// A word as it is typed into a shell: in single quotes if it contains special characters. For
// commands that are shown to be copied.
std::string shell_word(std::string_view word);

// Words joined with spaces.
std::string shell_line(std::span<const std::string> words);

} // namespace faultline
