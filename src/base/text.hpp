#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

std::vector<std::string_view> split(std::string_view text, char separator);

// Lines without their "\n"; a final line feed does not start another line.
std::vector<std::string_view> split_lines(std::string_view text);

// Lines with their "\n", so that joining them gives `text` back byte for byte.
std::vector<std::string_view> split_keeping_ends(std::string_view text);

std::string_view trim(std::string_view text);

std::string join(std::span<const std::string> parts, std::string_view separator);

std::string replace_all(std::string text, std::string_view from, std::string_view to);

// "1 fault", "2 faults".
std::string count_of(size_t n, std::string_view noun);

// Columns a terminal needs for UTF-8 `text` (wide characters take two; colour codes take none).
size_t display_width(std::string_view text);

// Break at spaces so that no line is wider than `width`, each line after the first indented. The
// first line goes on from column `start`.
std::string wrap(std::string_view text, size_t width, size_t indent, size_t start = 0);

// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
size_t edit_distance(std::string_view a, std::string_view b);

// The candidate that a user who typed `name` most likely meant, if one is near enough.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

// ", did you mean `x`?" or nothing.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

// Valid UTF-8 whatever comes in: a wrong byte becomes U+FFFD.
std::string to_valid_utf8(std::string_view bytes);

} // namespace faultline
