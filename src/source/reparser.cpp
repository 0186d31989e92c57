#include "source/reparser.hpp"

#include "source/grammar.hpp"

#include <algorithm>
#include <cstdint>

namespace faultline::source {

static TSPoint point_at(std::string_view text, size_t byte)
{
  const std::string_view before = text.substr(0, byte);
  const size_t feed = before.rfind('\n');
  const size_t column = feed == std::string_view::npos ? byte : byte - feed - 1;
  return {static_cast<uint32_t>(std::ranges::count(before, '\n')), static_cast<uint32_t>(column)};
}

Reparser::Reparser(std::string text, Language language)
    : m_text(std::move(text)), m_language(language), m_tree(parse_text(m_text, language, nullptr))
{
}

bool Reparser::has_error(const std::string& changed, ByteRange old_range, size_t new_end) const
{
  std::unique_ptr<TSTree, DeleteTree> old;
  // The runtime counts in 32 bits.
  if (std::max(changed.size(), m_text.size()) <= UINT32_MAX) {
    old.reset(ts_tree_copy(m_tree.get()));
    const TSInputEdit edit{static_cast<uint32_t>(old_range.begin),
                           static_cast<uint32_t>(old_range.end),
                           static_cast<uint32_t>(new_end),
                           point_at(m_text, old_range.begin),
                           point_at(m_text, old_range.end),
                           point_at(changed, new_end)};
    ts_tree_edit(old.get(), &edit);
  }
  const std::unique_ptr<TSTree, DeleteTree> tree(parse_text(changed, m_language, old.get()));
  return ts_node_has_error(ts_tree_root_node(tree.get()));
}

} // namespace faultline::source
