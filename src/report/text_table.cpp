#include "report/text_table.hpp"

#include "base/character.hpp"
#include "base/format.hpp"
#include "base/result.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::report {

void TextTable::add(std::vector<std::string> cells)
{
  FL_ASSERT(cells.size() == m_columns.size(), "a row has a cell for each column");
  m_rows.push_back(std::move(cells));
}

// The first `width` columns of UTF-8 text, with an ellipsis if something is cut.
static std::string cut(const std::string& text, size_t width)
{
  if (display_width(text) <= width) {
    return text;
  }
  std::string kept;
  size_t columns = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const Character character = first_character(rest);
    columns += character.width();
    if (columns + 1 > width) {
      break;
    }
    kept += character.bytes;
    rest.remove_prefix(character.bytes.size());
  }
  return kept + "…";
}

static std::string padded(const std::string& text, size_t width, Align align)
{
  const size_t have = display_width(text);
  const std::string space(width > have ? width - have : 0, ' ');
  return align == Align::left ? text + space : space + text;
}

std::string TextTable::print(const Painter& paint, size_t width) const
{
  constexpr size_t k_gap = 2;
  constexpr size_t k_narrowest = 16;
  std::vector<size_t> widths;
  size_t total = 0;
  for (size_t c = 0; c < m_columns.size(); ++c) {
    size_t widest = display_width(m_columns[c].header);
    for (const std::vector<std::string>& row : m_rows) {
      widest = std::max(widest, display_width(row[c]));
    }
    widths.push_back(widest);
    total += widest + (c > 0 ? k_gap : 0);
  }
  if (width > 0 && total > width) {
    const size_t others = total - widths.back();
    widths.back() = std::max(k_narrowest, width > others ? width - others : 0);
  }
  std::string text;
  const auto line = [&](const auto& cell_of, bool header) {
    for (size_t c = 0; c < m_columns.size(); ++c) {
      const bool last = c + 1 == m_columns.size();
      const std::string shown = last ? cut(cell_of(c), widths[c]) : cell_of(c);
      const bool pad = !last || m_columns[c].align == Align::right;
      text += (c > 0 ? std::string(k_gap, ' ') : "") +
              paint(header ? Colour::bold : m_columns[c].colour,
                    pad ? padded(shown, widths[c], m_columns[c].align) : shown);
    }
    text += '\n';
  };
  line([this](size_t c) { return m_columns[c].header; }, true);
  for (const std::vector<std::string>& row : m_rows) {
    line([&row](size_t c) { return row[c]; }, false);
  }
  return text;
}

std::string bar(double share, size_t cells)
{
  static const char* const k_parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<size_t>(
      std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(cells) * 8));
  std::string text;
  for (size_t i = 0; i < eighths / 8; ++i) {
    text += "█";
  }
  return text + k_parts[eighths % 8];
}

std::string print_p(double p)
{
  return p < 0.001 ? "< 0.001" : format("{:.3f}", p);
}

} // namespace faultline::report
