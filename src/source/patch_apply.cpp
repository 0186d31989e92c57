#include "base/format.hpp"
#include "base/text.hpp"
#include "source/patch.hpp"
#include "source/patch_path.hpp"

namespace faultline::source {

namespace {

// Turns the hunks of one file into edits of its text.
class HunkReader {
public:
  HunkReader(const Patch& patch, const FilePatch& file, std::string_view text)
      : m_patch(patch), m_file(file), m_text(text), m_path(quote_path(file.path)),
        m_lines(split_keeping_ends(text))
  {
  }

  Result<std::vector<Edit>> read();

private:
  Result<void> read_hunk(const Hunk& hunk);
  Result<void> check_line(const PatchLine& line, size_t line_number) const;
  Result<void> check_line_feeds(const Hunk& hunk) const;
  void add_change(const PatchLine& line, size_t line_number);
  size_t byte_of(size_t line_number) const;
  Error fail(size_t patch_line, std::string_view what) const;

  const Patch& m_patch;
  const FilePatch& m_file;
  std::string_view m_text;
  std::string m_path; // for messages
  std::vector<std::string_view> m_lines;
  std::vector<Edit> m_edits;
};

} // namespace

static Error fail_at(const Patch& patch, size_t patch_line, std::string_view what)
{
  const std::string place = patch_line == 0 ? "" : format("{}:{}: ", patch.name, patch_line);
  return {ErrorKind::bad_data, format("{}{}", place, what)};
}

// A line of a file for a message: one line, readable, not too long.
static std::string shown(std::string_view line)
{
  constexpr size_t k_most_bytes = 80;
  const bool has_end = line.ends_with('\n');
  line.remove_suffix(has_end ? 1 : 0);
  std::string text;
  for (const char c : line.substr(0, k_most_bytes)) {
    if (c == '\t') {
      text += "\\t";
    } else if (c == '\r') {
      text += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      text += format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return format("\"{}{}\"{}",
                to_valid_utf8(text),
                line.size() > k_most_bytes ? "…" : "",
                has_end ? "" : " without a line feed");
}

Error HunkReader::fail(size_t patch_line, std::string_view what) const
{
  return fail_at(m_patch, patch_line, format("hunk does not apply: {}", what));
}

size_t HunkReader::byte_of(size_t line_number) const
{
  return line_number < m_lines.size()
             ? static_cast<size_t>(m_lines[line_number].data() - m_text.data())
             : m_text.size();
}

Result<void> HunkReader::check_line(const PatchLine& line, size_t line_number) const
{
  if (line_number >= m_lines.size()) {
    return fail(line.patch_line,
                format("{} has {}, the patch expects {} in line {}",
                       m_path,
                       count_of(m_lines.size(), "line"),
                       shown(line.text),
                       line_number + 1));
  }
  if (m_lines[line_number] != line.text) {
    return fail(line.patch_line,
                format("{}:{} is {}, the patch expects {}",
                       m_path,
                       line_number + 1,
                       shown(m_lines[line_number]),
                       shown(line.text)));
  }
  return {};
}

// A line without a line feed may only end the file: nothing may be glued to it from either side.
Result<void> HunkReader::check_line_feeds(const Hunk& hunk) const
{
  const size_t end = hunk.old_begin + hunk.old_count();
  const bool is_at_end = end == m_lines.size();
  const PatchLine* last = nullptr;
  for (const PatchLine& line : hunk.lines) {
    last = line.kind == LineKind::removed ? last : &line;
  }
  if (last != nullptr && !last->text.ends_with('\n') && !is_at_end) {
    return fail(last->patch_line,
                format("{}:{} follows a line without a line feed", m_path, end + 1));
  }
  const bool appends = hunk.old_begin == m_lines.size() && hunk.new_count() > 0;
  if (appends && !m_text.empty() && !m_text.ends_with('\n')) {
    return fail(hunk.patch_line, format("the last line of {} has no line feed", m_path));
  }
  return {};
}

// Changes without a kept line between them become one edit, even if they stand in two hunks.
void HunkReader::add_change(const PatchLine& line, size_t line_number)
{
  const size_t begin = byte_of(line_number);
  if (m_edits.empty() || m_edits.back().end != begin) {
    m_edits.push_back({begin, begin, {}});
  }
  if (line.kind == LineKind::added) {
    m_edits.back().text += line.text;
  } else {
    m_edits.back().end += line.text.size();
  }
}

Result<void> HunkReader::read_hunk(const Hunk& hunk)
{
  if (hunk.old_begin > m_lines.size()) {
    return fail(hunk.patch_line,
                format("{} has {}, the hunk begins after line {}",
                       m_path,
                       count_of(m_lines.size(), "line"),
                       hunk.old_begin));
  }
  size_t line_number = hunk.old_begin;
  for (const PatchLine& line : hunk.lines) {
    if (line.kind != LineKind::added) {
      FL_CHECK(check_line(line, line_number));
    }
    if (line.kind != LineKind::kept) {
      add_change(line, line_number);
    }
    line_number += line.kind == LineKind::added ? 0 : 1;
  }
  return check_line_feeds(hunk);
}

Result<std::vector<Edit>> HunkReader::read()
{
  size_t removed = 0;
  for (const Hunk& hunk : m_file.hunks) {
    FL_CHECK(read_hunk(hunk));
    removed += hunk.old_count();
  }
  if (m_file.action == FileAction::remove && removed != m_lines.size()) {
    return fail_at(m_patch,
                   m_file.patch_line,
                   format("{} has {}, the patch removes a file of {}",
                          m_path,
                          count_of(m_lines.size(), "line"),
                          removed));
  }
  return std::move(m_edits);
}

static Error no_such_file(const Patch& patch, const FilePatch& file, const FileTree& base)
{
  std::vector<std::string> paths;
  for (const auto& [existing, content] : base) {
    paths.push_back(quote_path(existing));
  }
  const std::string path = quote_path(file.path);
  return fail_at(
      patch, file.patch_line, format("{} does not exist{}", path, did_you_mean(path, paths)));
}

static Result<FileEdits>
edits_of_file(const Patch& patch, const FilePatch& file, const FileTree& base)
{
  const auto found = base.find(file.path);
  if (file.action == FileAction::create) {
    if (found != base.end()) {
      return fail_at(patch, file.patch_line, format("{} exists already", quote_path(file.path)));
    }
    CreateFile created;
    for (const Hunk& hunk : file.hunks) {
      for (const PatchLine& line : hunk.lines) {
        created.content += line.text;
      }
    }
    return FileEdits(std::move(created));
  }
  if (found == base.end()) {
    return no_such_file(patch, file, base);
  }
  FL_TRY(std::vector<Edit> edits, HunkReader(patch, file, found->second).read());
  return file.action == FileAction::remove ? FileEdits(DeleteFile()) : FileEdits(std::move(edits));
}

Result<TreeEdits> edits_of(const Patch& patch, const FileTree& base)
{
  TreeEdits edits;
  for (const FilePatch& file : patch.files) {
    FL_TRY(FileEdits change, edits_of_file(patch, file, base));
    if (!edits.emplace(file.path, std::move(change)).second) {
      return fail_at(
          patch, file.patch_line, format("{} occurs a second time", quote_path(file.path)));
    }
  }
  return edits;
}

Result<FileTree> apply_patch(const Patch& patch, const FileTree& base)
{
  FL_TRY(const TreeEdits edits, edits_of(patch, base));
  return apply_edits(base, edits);
}

} // namespace faultline::source
