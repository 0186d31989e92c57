#pragma once

// How file names are written in the headers of a patch. Part of reading and printing patches.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace faultline::source {

constexpr std::string_view k_no_file = "/dev/null";

// As git writes a name: in quotes with C's escapes if it has control characters, quotes or
// backslashes. Bytes of UTF-8 stay as they are.
std::string quote_path(std::string_view path);

// Take one name off the front of `header`: a quoted one, or all up to a tab (a date may follow).
// Nothing if a quoted name is broken.
std::optional<std::string> take_path(std::string_view& header);

// The path that the two names of a header mean: themselves if they are the same, or what is left
// when they differ in the first directory only (a/ and b/, or old/ and new/).
std::optional<std::string> common_path(std::string_view old_name, std::string_view new_name);

// The path in what follows "diff --git ", where nothing but their likeness separates two names.
std::optional<std::string> path_of_git_header(std::string_view names);

// A name that stands alone, opposite /dev/null, loses git's "a/" or "b/".
std::string_view without_git_prefix(std::string_view name);

} // namespace faultline::source
