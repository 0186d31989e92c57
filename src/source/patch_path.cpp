#include "source/patch_path.hpp"

#include "base/format.hpp"

#include <algorithm>
#include <array>

namespace faultline::source {

namespace {

struct Escape {
  char letter;
  char meaning;
};

constexpr Escape k_escapes[] = {
    {'a', '\a'},
    {'b', '\b'},
    {'t', '\t'},
    {'n', '\n'},
    {'v', '\v'},
    {'f', '\f'},
    {'r', '\r'},
    {'"', '"'},
    {'\\', '\\'},
};

} // namespace

static bool needs_escape(char c)
{
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F || c == '"' || c == '\\';
}

std::string quote_path(std::string_view path)
{
  if (std::ranges::none_of(path, needs_escape)) {
    return std::string(path);
  }
  std::string quoted = "\"";
  for (const char c : path) {
    const auto* escape = std::ranges::find(k_escapes, c, &Escape::meaning);
    if (escape != std::end(k_escapes)) {
      quoted += {'\\', escape->letter};
    } else if (needs_escape(c)) {
      quoted += format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

// The byte that the escape at the front of `text` stands for, taken off with its backslash.
static std::optional<char> take_escape(std::string_view& text)
{
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  if (text.size() >= 4 && text[1] <= '3' &&
      std::all_of(text.begin() + 1, text.begin() + 4, is_octal)) {
    const int byte = (text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0');
    text.remove_prefix(4);
    return static_cast<char>(byte);
  }
  if (text.size() >= 2) {
    const auto* escape = std::ranges::find(k_escapes, text[1], &Escape::letter);
    if (escape != std::end(k_escapes)) {
      text.remove_prefix(2);
      return escape->meaning;
    }
  }
  return std::nullopt;
}

std::optional<std::string> take_path(std::string_view& header)
{
  if (!header.starts_with('"')) {
    const std::string_view name = header.substr(0, header.find('\t'));
    header.remove_prefix(name.size());
    return std::string(name);
  }
  header.remove_prefix(1);
  std::string path;
  while (!header.empty() && header[0] != '"') {
    if (header[0] == '\\') {
      const std::optional<char> byte = take_escape(header);
      if (!byte) {
        return std::nullopt;
      }
      path += *byte;
    } else {
      path += header[0];
      header.remove_prefix(1);
    }
  }
  if (header.empty()) {
    return std::nullopt;
  }
  header.remove_prefix(1);
  return path;
}

std::optional<std::string> common_path(std::string_view old_name, std::string_view new_name)
{
  if (old_name == new_name) {
    return std::string(new_name);
  }
  const size_t old_slash = old_name.find('/');
  const size_t new_slash = new_name.find('/');
  if (old_slash == std::string_view::npos || new_slash == std::string_view::npos ||
      old_name.substr(old_slash) != new_name.substr(new_slash)) {
    return std::nullopt;
  }
  return std::string(new_name.substr(new_slash + 1));
}

std::optional<std::string> path_of_git_header(std::string_view names)
{
  if (names.starts_with('"')) {
    const std::optional<std::string> old_name = take_path(names);
    if (!old_name || !names.starts_with(' ')) {
      return std::nullopt;
    }
    names.remove_prefix(1);
    const std::optional<std::string> new_name = take_path(names);
    return new_name ? common_path(*old_name, *new_name) : std::nullopt;
  }
  // Names may have spaces. Git's two prefixes are equally long, so the middle is the right place to
  // part the names, if it is possible at all; other prefixes are tried after that.
  const auto parted_at = [&](size_t space) {
    return common_path(names.substr(0, space), names.substr(space + 1));
  };
  const size_t middle = names.size() / 2;
  if (middle < names.size() && names[middle] == ' ') {
    if (auto path = parted_at(middle)) {
      return path;
    }
  }
  for (size_t space = names.find(' '); space != std::string_view::npos;
       space = names.find(' ', space + 1)) {
    if (auto path = parted_at(space)) {
      return path;
    }
  }
  return std::nullopt;
}

std::string_view without_git_prefix(std::string_view name)
{
  return name.starts_with("a/") || name.starts_with("b/") ? name.substr(2) : name;
}

} // namespace faultline::source
