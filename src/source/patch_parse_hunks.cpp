#include "source/patch_reader.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace faultline::source {

namespace {

// What "@@ -3,7 +3,8 @@ def f():" says. A count that is left out is one.
struct HunkHeader {
  size_t old_start = 0;
  size_t old_count = 1;
  size_t new_count = 1;
  std::string section;
};

class HunkParser {
public:
  HunkParser(PatchReader& reader, FilePatch& file) : m_reader(reader), m_file(file) {}

  Result<void> parse_hunk();
  Result<void> check_nothing_is_left() const;
  Result<void> check_whole_file() const;

private:
  Result<HunkHeader> parse_header() const;
  Result<void> parse_line(Hunk& hunk);
  Result<void> check_line_feed(const PatchLine& line);

  PatchReader& m_reader;
  FilePatch& m_file;
  size_t m_old_left = 0; // lines of the current hunk that its header still promises
  size_t m_new_left = 0;
  bool m_old_side_ended = false; // by a line without a line feed
  bool m_new_side_ended = false;
};

} // namespace

Result<void> parse_hunks(PatchReader& reader, FilePatch& file)
{
  if (!reader.at("@@")) {
    return reader.fail_at(reader.number() - 1, "no hunk follows the file header");
  }
  HunkParser parser(reader, file);
  while (reader.at("@@")) {
    FL_CHECK(parser.parse_hunk());
  }
  FL_CHECK(parser.check_nothing_is_left());
  return parser.check_whole_file();
}

static bool take(std::string_view& text, std::string_view expected)
{
  const bool matches = text.starts_with(expected);
  text.remove_prefix(matches ? expected.size() : 0);
  return matches;
}

static std::optional<size_t> take_number(std::string_view& text)
{
  // No file has more lines, and sums of such numbers cannot overflow.
  constexpr size_t k_most_lines = 1'000'000'000;
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number > k_most_lines) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

// "3,7" or "3".
static bool take_side(std::string_view& text, size_t& start, size_t& count)
{
  const std::optional<size_t> first = take_number(text);
  const std::optional<size_t> second = take(text, ",") ? take_number(text) : 1;
  start = first.value_or(0);
  count = second.value_or(0);
  return first && second;
}

Result<HunkHeader> HunkParser::parse_header() const
{
  HunkHeader header;
  std::string_view rest = m_reader.header();
  size_t new_start = 0;
  if (!take(rest, "@@ -") || !take_side(rest, header.old_start, header.old_count) ||
      !take(rest, " +") || !take_side(rest, new_start, header.new_count) || !take(rest, " @@")) {
    return m_reader.fail("a hunk header must look like `@@ -3,7 +3,8 @@`");
  }
  if (header.old_count > 0 && header.old_start == 0) {
    return m_reader.fail("lines are counted from 1");
  }
  if (header.old_count == 0 && header.new_count == 0) {
    return m_reader.fail("a hunk without lines");
  }
  // What is printed must be read again as it is, so it cannot end like a Windows line.
  header.section = rest.substr(0, rest.find_last_not_of('\r') + 1);
  return header;
}

Result<void> HunkParser::parse_hunk()
{
  FL_TRY(HunkHeader header, parse_header());
  Hunk hunk;
  hunk.patch_line = m_reader.number();
  // An old side without lines names the line before the hunk, any other its first line.
  hunk.old_begin = header.old_count == 0 ? header.old_start : header.old_start - 1;
  hunk.section = std::move(header.section);
  if (!m_file.hunks.empty()) {
    const Hunk& previous = m_file.hunks.back();
    if (hunk.old_begin < previous.old_begin + previous.old_count()) {
      return m_reader.fail("the hunk overlaps the one before it or is out of order");
    }
  }
  m_old_left = header.old_count;
  m_new_left = header.new_count;
  m_reader.next();
  while (m_old_left > 0 || m_new_left > 0) {
    FL_CHECK(parse_line(hunk));
  }
  m_file.hunks.push_back(std::move(hunk));
  return {};
}

static std::optional<LineKind> kind_of(char sign)
{
  switch (sign) {
  case ' ':
    return LineKind::kept;
  case '-':
    return LineKind::removed;
  case '+':
    return LineKind::added;
  default:
    return std::nullopt;
  }
}

// One line and the marker that may follow it.
Result<void> HunkParser::parse_line(Hunk& hunk)
{
  // Editors and mail programs cut the space of an empty context line.
  const bool is_cut = !m_reader.at_end() && m_reader.header().empty();
  const std::optional<LineKind> kind = m_reader.at_end() ? std::nullopt
                                       : is_cut          ? LineKind::kept
                                                         : kind_of(m_reader.content()[0]);
  if (!kind) {
    return m_reader.fail(format("the hunk of line {} ends early, {} and {} are missing",
                                hunk.patch_line,
                                count_of(m_old_left, "old line"),
                                count_of(m_new_left, "new line")));
  }
  const bool on_old_side = kind != LineKind::added;
  const bool on_new_side = kind != LineKind::removed;
  if ((on_old_side && m_old_left == 0) || (on_new_side && m_new_left == 0)) {
    return m_reader.fail(format("the hunk of line {} has more {} lines than its header says",
                                hunk.patch_line,
                                on_old_side && m_old_left == 0 ? "old" : "new"));
  }
  m_old_left -= on_old_side ? 1 : 0;
  m_new_left -= on_new_side ? 1 : 0;

  PatchLine line;
  line.kind = *kind;
  line.text = m_reader.content().substr(is_cut ? 0 : 1);
  line.patch_line = m_reader.number();
  m_reader.next();
  if (m_reader.at("\\ ")) {
    m_reader.next();
  } else {
    line.text += '\n';
  }
  FL_CHECK(check_line_feed(line));
  hunk.lines.push_back(std::move(line));
  return {};
}

// Only the last line of a file can be without a line feed, and then it is not empty.
Result<void> HunkParser::check_line_feed(const PatchLine& line)
{
  const bool on_old_side = line.kind != LineKind::added;
  const bool on_new_side = line.kind != LineKind::removed;
  if ((on_old_side && m_old_side_ended) || (on_new_side && m_new_side_ended)) {
    return m_reader.fail_at(line.patch_line, "a line follows one without a line feed");
  }
  if (line.text.empty()) {
    return m_reader.fail_at(line.patch_line, "an empty line without a line feed is no line");
  }
  if (!line.text.ends_with('\n')) {
    m_old_side_ended = m_old_side_ended || on_old_side;
    m_new_side_ended = m_new_side_ended || on_new_side;
  }
  return {};
}

// What looks like one more line of a hunk means that its counts are wrong. The signature of a mail,
// "-- ", and the header of the next file only look like it.
Result<void> HunkParser::check_nothing_is_left() const
{
  if (m_reader.at_end() || m_reader.content().empty() || m_reader.header() == "-- " ||
      (m_reader.at("--- ") && m_reader.next_is("+++ "))) {
    return {};
  }
  if (kind_of(m_reader.content()[0]) || m_reader.at("\\ ")) {
    return m_reader.fail(format("the hunk of line {} has more lines than its header says",
                                m_file.hunks.back().patch_line));
  }
  return {};
}

// A file that comes or goes does so as a whole.
Result<void> HunkParser::check_whole_file() const
{
  if (m_file.action == FileAction::change) {
    return {};
  }
  const bool creates = m_file.action == FileAction::create;
  const LineKind only = creates ? LineKind::added : LineKind::removed;
  const Hunk& hunk = m_file.hunks[0];
  if (m_file.hunks.size() > 1 || hunk.old_begin != 0 ||
      std::ranges::any_of(hunk.lines, [&](const PatchLine& line) { return line.kind != only; })) {
    return m_reader.fail_at(m_file.hunks.back().patch_line,
                            format("a {} file must be one hunk of {} lines",
                                   creates ? "new" : "deleted",
                                   creates ? "added" : "removed"));
  }
  return {};
}

} // namespace faultline::source
