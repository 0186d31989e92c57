#include "evaluate/line_map.hpp"

#include "source/line_diff.hpp"

namespace faultline::evaluate {

using source::LineChange;
using source::LineKind;

static std::vector<std::optional<LineRange>> mapped(std::string_view before, std::string_view after)
{
  std::vector<std::optional<LineRange>> lines;
  const std::vector<LineChange> changes = source::line_diff(before, after);
  for (size_t i = 0; i < changes.size(); ++i) {
    const LineChange& change = changes[i];
    if (change.kind == LineKind::kept) {
      for (size_t j = 0; j < change.count; ++j) {
        const size_t line = change.new_line + j + 1;
        lines.push_back(LineRange{line, line});
      }
    } else if (change.kind == LineKind::removed) {
      std::optional<LineRange> instead;
      if (i + 1 < changes.size() && changes[i + 1].kind == LineKind::added) {
        const LineChange& added = changes[i + 1];
        instead = LineRange{added.new_line + 1, added.new_line + added.count};
      }
      lines.insert(lines.end(), change.count, instead);
    }
  }
  return lines;
}

LineMap::LineMap(const FileTree& before, const FileTree& after)
{
  for (const auto& [path, text] : before) {
    if (const auto other = after.find(path); other != after.end()) {
      m_files[path] = mapped(text, other->second);
    }
  }
}

std::optional<LineRange> LineMap::of(const std::string& file, size_t line) const
{
  const auto found = m_files.find(file);
  if (found == m_files.end() || line == 0 || line > found->second.size()) {
    return std::nullopt;
  }
  return found->second[line - 1];
}

} // namespace faultline::evaluate
