#pragma once

#include <span>
#include <string>
#include <string_view>

namespace faultline {

// A word as it is typed into a shell: itself where nothing in it means anything to one, else in
// single quotes. For commands that are shown to be copied.
std::string shell_word(std::string_view word);

// Words with a space between them.
std::string shell_line(std::span<const std::string> words);

} // namespace faultline
