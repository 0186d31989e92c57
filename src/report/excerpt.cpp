#include "report/excerpt.hpp"

#include "base/character.hpp"
#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace faultline::report {

namespace {

constexpr size_t k_tab = 4;
constexpr size_t k_widest = 160;   // columns of code shown of one line
constexpr size_t k_most_lines = 8; // shown of a place that spans more

// A line as shown, and where each of its characters went.
struct ShownLine {
  std::string text;
  std::vector<size_t> columns; // of each character, and of the end

  size_t column_of(size_t character) const
  {
    return columns[std::min(character - 1, columns.size() - 1)];
  }
};

// Tabs are expanded, the rest is made printable. If the line is too wide, it starts so that column
// `focus` (characters, from 1) is visible.
ShownLine show(std::string_view line, size_t focus)
{
  struct Glyph {
    std::string text;
    size_t width;
  };
  std::vector<Glyph> glyphs;
  size_t total = 0;
  size_t before_focus = 0;
  while (!line.empty()) {
    const Character character = first_character(line);
    line.remove_prefix(character.bytes.size());
    Glyph glyph{printable(character.bytes), character.width()};
    if (character.code == U'\t') {
      glyph.width = k_tab - total % k_tab;
      glyph.text = std::string(glyph.width, ' ');
    } else if (character.code < 0x20 || character.code == 0x7F) {
      glyph.width = 1;
    }
    before_focus += glyphs.size() + 1 < focus ? glyph.width : 0;
    total += glyph.width;
    glyphs.push_back(std::move(glyph));
  }
  // Leave a quarter of the room to what comes before.
  const size_t skip =
      total > k_widest && before_focus > k_widest / 2 ? before_focus - k_widest / 4 : 0;
  ShownLine shown;
  shown.text = skip > 0 ? "…" : "";
  size_t at = 0;
  size_t column = skip > 0 ? 1 : 0;
  for (const Glyph& glyph : glyphs) {
    shown.columns.push_back(column);
    at += glyph.width;
    if (at > skip && column + glyph.width <= k_widest) {
      shown.text += glyph.text;
      column += glyph.width;
    } else if (at > skip) {
      shown.text += shown.text.ends_with("…") ? "" : "…";
    }
  }
  shown.columns.push_back(column);
  return shown;
}

class Drawing {
public:
  explicit Drawing(const ExcerptStyle& style) : m_style(style) {}

  void bar()
  {
    m_text += m_style.paint(Colour::blue, std::string(m_style.gutter + 1, ' ') + "|") + "\n";
  }

  // `margin` is what stands between the bar and the code.
  void code(size_t number, const std::string& margin, const std::string& text)
  {
    const std::string line = text.find_first_not_of(' ') == std::string::npos ? "" : text;
    m_text += m_style.paint(Colour::blue, format("{:>{}} |", number, m_style.gutter));
    m_text +=
        (margin.empty() ? (line.empty() ? "" : " ") : " " + m_style.paint(m_style.mark, margin)) +
        line + "\n";
  }

  void mark(const std::string& marks)
  {
    m_text += m_style.paint(Colour::blue, std::string(m_style.gutter + 1, ' ') + "|") + " " +
              m_style.paint(m_style.mark, marks) + "\n";
  }

  void skipped() { m_text += m_style.paint(Colour::blue, "...") + "\n"; }

  std::string text() && { return std::move(m_text); }

private:
  const ExcerptStyle& m_style;
  std::string m_text;
};

std::string repeated(std::string_view text, size_t n)
{
  std::string all;
  for (size_t i = 0; i < n; ++i) {
    all += text;
  }
  return all;
}

std::string with_label(std::string marks, const std::string& label)
{
  return label.empty() ? marks : marks + " " + printable(label);
}

// The place with an end on the line of its last character: one that ends at the very start of a
// line ends behind the line before.
source::Place settled(source::Place place, const source::FileSet& files)
{
  if (place.end_line > place.line && place.end_column == 1) {
    --place.end_line;
    const std::string_view line = files.line(place, place.end_line).value_or("");
    place.end_column = source::LineIndex(line).at(line.size()).column;
  }
  return place;
}

void draw_one_line(const source::Place& place,
                   const std::string& label,
                   std::string_view line,
                   Drawing& drawing)
{
  const ShownLine shown = show(line, place.column);
  const size_t begin = shown.column_of(place.column);
  const size_t end = std::max(shown.column_of(place.end_column), begin + 1);
  drawing.code(place.line, "", shown.text);
  drawing.mark(with_label(std::string(begin, ' ') + std::string(end - begin, '^'), label));
}

// Several lines: a bar at their left, from the first character to the last.
void draw_lines(const source::Place& place,
                const std::string& label,
                const source::FileSet& files,
                Drawing& drawing)
{
  const size_t count = place.end_line - place.line + 1;
  for (size_t number = place.line; number <= place.end_line; ++number) {
    const size_t nth = number - place.line;
    if (count > k_most_lines && nth >= k_most_lines / 2 && number + 2 <= place.end_line) {
      if (nth == k_most_lines / 2) {
        drawing.skipped();
      }
      continue;
    }
    const std::string_view line = files.line(place, number).value_or("");
    const ShownLine shown = show(line, 1);
    const bool is_first = number == place.line;
    const bool begins_line =
        trim(line.substr(0, source::LineIndex(line).byte_of({1, place.column}))).empty();
    drawing.code(number, is_first ? (begins_line ? "/ " : "  ") : "| ", shown.text);
    if (is_first && !begins_line) {
      drawing.mark(" " + repeated("_", shown.column_of(place.column) + 1) + "^");
    }
    if (number == place.end_line) {
      const size_t end = shown.column_of(place.end_column);
      drawing.mark(with_label("|" + repeated("_", std::max<size_t>(end, 1)) + "^", label));
    }
  }
}

} // namespace

std::string printable(std::string_view text)
{
  std::string shown;
  while (!text.empty()) {
    const Character character = first_character(text);
    text.remove_prefix(character.bytes.size());
    const bool is_control =
        character.code < 0x20 || (character.code >= 0x7F && character.code < 0xA0);
    const bool is_wrong = character.code == 0xFFFD;
    shown += is_control || is_wrong ? "\xEF\xBF\xBD" : character.bytes;
  }
  return shown;
}

size_t gutter_of(const source::Place& place)
{
  return format("{}", place.end_line + 1).size();
}

std::string excerpt(const source::Place& whole,
                    const std::string& label,
                    const source::FileSet& files,
                    const ExcerptStyle& style)
{
  const source::Place place = settled(whole, files);
  const std::optional<std::string_view> first = files.line(place, place.line);
  if (!first) {
    return {};
  }
  const bool one_line = place.line == place.end_line;
  Drawing drawing(style);
  const auto context = [&](size_t number) {
    const std::string_view line = files.line(place, number).value_or("");
    if (!trim(line).empty()) {
      drawing.code(number, one_line ? "" : "  ", show(line, 1).text);
    }
  };
  drawing.bar();
  context(place.line - 1);
  if (one_line) {
    draw_one_line(place, label, *first, drawing);
  } else {
    draw_lines(place, label, files, drawing);
  }
  context(place.end_line + 1);
  drawing.bar();
  return std::move(drawing).text();
}

} // namespace faultline::report
