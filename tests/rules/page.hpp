#pragma once

// The page of a rule as its tests see it: sections, and the programs inside them.

#include "base/text.hpp"
#include "rules/rule.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace faultline::rules {

struct Block {
  const Rule* rule = nullptr;
  std::string section;
  size_t number = 0;     // among the blocks of its page, from 1
  size_t first_line = 0; // of the program, in the page
  std::string text;

  friend std::ostream& operator<<(std::ostream& os, const Block& block)
  {
    return os << "block " << block.number << " of " << block.rule->name << ".md";
  }
};

inline std::vector<Block> blocks_of(const Rule& rule)
{
  std::vector<Block> blocks;
  std::string section;
  bool inside = false;
  size_t number = 0;
  for (const std::string_view line : split_lines(documentation_of(rule))) {
    ++number;
    if (!inside && line.starts_with("## ")) {
      section = line.substr(3);
    } else if (!inside && trim(line) == "```python") {
      inside = true;
      blocks.push_back({&rule, section, blocks.size() + 1, number + 1, ""});
    } else if (inside && trim(line) == "```") {
      inside = false;
    } else if (inside) {
      blocks.back().text += std::string(line) + "\n";
    }
  }
  return blocks;
}

inline std::vector<Block> all_blocks()
{
  std::vector<Block> blocks;
  for (const Rule* rule : all_rules()) {
    const std::vector<Block> more = blocks_of(*rule);
    blocks.insert(blocks.end(), more.begin(), more.end());
  }
  return blocks;
}

// One marker: `# expect: CODE`, `# missed: CODE (why)` or `# spurious: CODE (why)`. Several codes
// are separated by commas.
struct Marker {
  size_t line = 0;
  std::string kind;
  std::vector<std::string> codes;
};

inline std::vector<Marker> markers_of(const Block& block)
{
  std::vector<Marker> markers;
  size_t number = 0;
  for (const std::string_view line : split_lines(block.text)) {
    ++number;
    for (const std::string kind : {"expect", "missed", "spurious"}) {
      const std::string mark = "# " + kind + ":";
      const size_t at = line.find(mark);
      if (at == std::string_view::npos) {
        continue;
      }
      Marker& marker = markers.emplace_back();
      marker.line = number;
      marker.kind = kind;
      const std::string_view rest = line.substr(at + mark.size());
      for (const std::string_view code : split(rest.substr(0, rest.find('(')), ',')) {
        marker.codes.emplace_back(trim(code));
      }
    }
  }
  return markers;
}

} // namespace faultline::rules
