#include "catalog/unwritten.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace faultline::catalog {

namespace fs = std::filesystem;

constexpr std::string_view k_blank = "…";

static void
find_keys(const toml::node& node, const std::string& name, std::vector<std::string>& found)
{
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, value] : *table) {
      find_keys(value,
                name.empty() ? std::string(key.str()) : name + "." + std::string(key.str()),
                found);
    }
  } else if (const toml::array* list = node.as_array()) {
    for (const toml::node& one : *list) {
      find_keys(one, name, found);
    }
  } else if (node.value<std::string_view>() == k_blank) {
    found.push_back(name);
  }
}

static bool has_blank_line(std::string_view text)
{
  return std::ranges::any_of(split_lines(text), [](std::string_view line) {
    line = trim(line);
    const bool comment = line.starts_with("# ") || line.starts_with("// ");
    return comment && trim(line.substr(line.find(' '))) == k_blank;
  });
}

std::vector<std::string> unwritten(const toml::table& table, const fs::path& folder)
{
  std::vector<std::string> found;
  find_keys(table, "", found);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
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
