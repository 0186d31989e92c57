#pragma once

#include <optional>
#include <string_view>

namespace faultline::source {

// The languages whose syntax we read.
enum class Language { python, javascript, cpp };

// By the ending of the file name; nothing for a file that we do not parse.
std::optional<Language> language_of(std::string_view path);

// "Python", as a person writes it.
std::string_view name_of(Language language);

} // namespace faultline::source
