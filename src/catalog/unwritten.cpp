#include "catalog/unwritten.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace faultline::catalog {

namespace fs = std::filesystem;

constexpr std::string_view k_blank = "…";

// A key and the line that it stands in: fault.toml is named from top to bottom.
using Key = std::pair<size_t, std::string>;

static void find_keys(const toml::node& node, const std::string& name, std::vector<Key>& found)
{
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, value] : *table) {
      const std::string inner(key.str());
      find_keys(value, name.empty() ? inner : format("{}.{}", name, inner), found);
    }
  } else if (const toml::array* list = node.as_array()) {
    for (const toml::node& one : *list) {
      find_keys(one, name, found);
    }
  } else if (node.value<std::string_view>() == k_blank) {
    found.emplace_back(node.source().begin.line, name);
  }
}

bool has_blank_line(std::string_view text)
{
  return std::ranges::any_of(split_lines(text), [](std::string_view line) {
    line = trim(line);
    const bool comment = line.starts_with("# ") || line.starts_with("// ");
    return comment && trim(line.substr(line.find(' '))) == k_blank;
  });
}

std::vector<std::string> unwritten(const toml::table& table, const fs::path& folder)
{
  std::vector<Key> keys;
  find_keys(table, "", keys);
  std::ranges::sort(keys);
  std::vector<std::string> found;
  for (const auto& [line, name] : keys) {
    if (found.empty() || found.back() != name) {
      found.push_back(name);
    }
  }
  const Result<FileTree> files = read_tree(folder);
  if (found.empty() || !files) {
    return found; // what else is missing is told in its own words
  }
  for (const auto& [path, text] : *files) {
    if (has_blank_line(text)) {
      found.push_back(path);
    }
  }
  if (!table.contains("part") && !files->contains("fix.patch")) {
    found.emplace_back("fix.patch");
  }
  return found;
}

} // namespace faultline::catalog
