#include "campaign/spec_check.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "source/syntax.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace faultline::campaign {

static std::optional<size_t> line_number(std::string_view text)
{
  size_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value == 0) {
    return std::nullopt;
  }
  return value;
}

Result<Region> parse_region(const std::string& text)
{
  Region region;
  const size_t colon = text.find(':');
  region.file = text.substr(0, colon);
  if (region.file.empty() || !is_inner_path(region.file)) {
    return Error{ErrorKind::bad_data,
                 format("`{}` names no file: write file, file:function or file:from-to", text)};
  }
  if (colon == std::string::npos) {
    return region;
  }
  const std::string rest = text.substr(colon + 1);
  if (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])) != 0) {
    const size_t dash = rest.find('-');
    const std::optional<size_t> first = line_number(std::string_view(rest).substr(0, dash));
    const std::optional<size_t> last =
        dash == std::string::npos ? first : line_number(std::string_view(rest).substr(dash + 1));
    if (!first || !last || *last < *first) {
      return Error{ErrorKind::bad_data, format("`{}` is no range of lines: file:from-to", text)};
    }
    region.lines = std::pair(*first, *last);
    return region;
  }
  if (!is_module_name(rest)) {
    return Error{ErrorKind::bad_data,
                 format("`{}` names no function: write file:function or file:Class.method", text)};
  }
  region.function = rest;
  return region;
}

bool is_module_name(std::string_view name)
{
  for (const std::string_view part : split(name, '.')) {
    const bool word = !part.empty() && std::isdigit(static_cast<unsigned char>(part[0])) == 0 &&
                      std::ranges::all_of(part, [](char c) {
                        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
                               static_cast<unsigned char>(c) >= 0x80;
                      });
    if (!word) {
      return false;
    }
  }
  return !name.empty();
}

bool pattern_matches(const std::string& pattern, const std::string& path)
{
  if (pattern.find("**") != std::string::npos) {
    const std::string loose = replace_all(pattern, "**/", "*");
    return fnmatch(replace_all(loose, "**", "*").c_str(), path.c_str(), 0) == 0;
  }
  if (pattern.find('/') == std::string::npos) {
    return fnmatch(pattern.c_str(), path.substr(path.rfind('/') + 1).c_str(), 0) == 0;
  }
  return fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0;
}

Result<void> SpecChecker::command(const std::vector<std::string>& command) const
{
  if (command.empty()) {
    return Error{ErrorKind::bad_data,
                 "`command` is missing or empty, e.g. command = [\"python3\", \"train.py\"]"};
  }
  if (command.size() < 2 || (command[0] != "python3" && command[0] != "python") ||
      command[1].starts_with('-')) {
    return Error{ErrorKind::bad_data,
                 "`command` must run a Python script: [\"python3\", \"SCRIPT\", …]"};
  }
  if (m_looks && !m_files.contains(command[1])) {
    std::vector<std::string> names;
    for (const auto& [path, text] : m_files) {
      names.push_back(path);
    }
    return Error{
        ErrorKind::bad_data,
        format("the program has no file `{}`{}", command[1], did_you_mean(command[1], names))};
  }
  return {};
}

// Every function and method by its dotted name: "train", "Net.forward".
static std::vector<std::string> functions_of(const std::string& text)
{
  const source::SyntaxTree tree = source::SyntaxTree::parse(text, source::Language::python);
  std::vector<std::string> found;
  std::vector<std::string> scope;
  const auto is_scope = [](const source::Node& node) {
    return node.kind() == "function_definition" || node.kind() == "class_definition";
  };
  source::walk(
      tree.root(),
      [&](const source::Node& node) {
        if (is_scope(node)) {
          const std::optional<source::Node> name = node.child("name");
          scope.emplace_back(name ? name->text() : "");
          if (node.kind() == "function_definition") {
            found.push_back(join(scope, "."));
          }
        }
        return true;
      },
      [&](const source::Node& node) {
        if (is_scope(node)) {
          scope.pop_back();
        }
      });
  return found;
}

Result<void> SpecChecker::region(const Region& region) const
{
  if (!m_looks) {
    return {};
  }
  const auto file = m_files.find(region.file);
  if (file == m_files.end()) {
    std::vector<std::string> names;
    for (const auto& [path, text] : m_files) {
      names.push_back(path);
    }
    return Error{
        ErrorKind::bad_data,
        format("the program has no file `{}`{}", region.file, did_you_mean(region.file, names))};
  }
  if (!region.file.ends_with(".py")) {
    return Error{ErrorKind::bad_data, format("`{}` is not a Python file", region.file)};
  }
  if (!region.function.empty()) {
    const std::vector<std::string> names = functions_of(file->second);
    if (std::ranges::find(names, region.function) == names.end()) {
      return Error{ErrorKind::bad_data,
                   format("{} has no function `{}`{}",
                          region.file,
                          region.function,
                          did_you_mean(region.function, names))};
    }
  }
  if (region.lines) {
    const size_t count = split_lines(file->second).size();
    if (region.lines->first > count) {
      return Error{ErrorKind::bad_data,
                   format("{} has {}, none numbered {}",
                          region.file,
                          count_of(count, "line"),
                          region.lines->first)};
    }
  }
  return {};
}

bool SpecChecker::matches_python_file(const std::string& pattern) const
{
  return !m_looks || std::ranges::any_of(m_files, [&](const auto& file) {
    return file.first.ends_with(".py") && pattern_matches(pattern, file.first);
  });
}

} // namespace faultline::campaign
