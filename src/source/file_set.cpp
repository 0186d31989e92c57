#include "source/file_set.hpp"

namespace faultline::source {

struct FileSet::File {
  explicit File(std::string content) : own_text(std::move(content)), lines(own_text) {}
  explicit File(Notebook book)
      : notebook(std::move(book)), lines(notebook->text()), json_lines(notebook->json())
  {
  }

  const std::string& text() const { return notebook ? notebook->text() : own_text; }

  std::string own_text; // empty for a notebook
  std::optional<Notebook> notebook;
  LineIndex lines;
  std::optional<LineIndex> json_lines;
};

FileSet::FileSet() = default;
FileSet::~FileSet() = default;
FileSet::FileSet(FileSet&&) noexcept = default;
FileSet& FileSet::operator=(FileSet&&) noexcept = default;

void FileSet::add(const std::string& path, std::string text)
{
  if (!contains(path)) {
    m_files[path] = std::make_unique<File>(std::move(text));
  }
}

void FileSet::add(const std::string& path, Notebook notebook)
{
  if (!contains(path)) {
    m_files[path] = std::make_unique<File>(std::move(notebook));
  }
}

bool FileSet::contains(const std::string& path) const
{
  return m_files.contains(path);
}

const FileSet::File* FileSet::find(const std::string& path) const
{
  const auto found = m_files.find(path);
  return found == m_files.end() ? nullptr : found->second.get();
}

const Notebook* FileSet::notebook(const std::string& path) const
{
  const File* file = find(path);
  return file != nullptr && file->notebook ? &*file->notebook : nullptr;
}

const std::string* FileSet::text(const std::string& path) const
{
  const File* file = find(path);
  return file == nullptr ? nullptr : &file->text();
}

std::optional<std::string_view> FileSet::line(const Place& place, size_t line) const
{
  const File* file = find(place.file);
  if (file == nullptr || line == 0) {
    return std::nullopt;
  }
  size_t number = line;
  if (file->notebook && place.cell > 0) {
    number = file->notebook->text_line({place.cell, line});
    if (file->notebook->cell_line(number).cell != place.cell) {
      return std::nullopt;
    }
  }
  // Behind the last line feed there is no line to show.
  const bool is_there = number < file->lines.line_count() ||
                        (number == file->lines.line_count() && !file->lines.line(number).empty());
  return is_there ? std::optional(file->lines.line(number)) : std::nullopt;
}

static Place place_of(const std::string& path, const LineIndex& lines, size_t begin, size_t end)
{
  const LineColumn from = lines.at(begin);
  const LineColumn to = lines.at(end);
  return {path, from.line, from.column, to.line, to.column};
}

Place FileSet::place(const std::string& path, size_t begin, size_t end) const
{
  const File* file = find(path);
  if (file == nullptr) {
    return {path};
  }
  const Place found = place_of(path, file->lines, begin, end);
  return file->notebook ? file->notebook->locate(found) : found;
}

Place FileSet::place_on_disk(const std::string& path, size_t begin, size_t end) const
{
  const File* file = find(path);
  if (file == nullptr) {
    return {path};
  }
  if (!file->notebook) {
    return place_of(path, file->lines, begin, end);
  }
  const ByteRange range = file->notebook->in_json({begin, end});
  return place_of(path, *file->json_lines, range.begin, range.end);
}

Place FileSet::place_on_disk(const Place& place) const
{
  const File* file = find(place.file);
  if (file == nullptr || !file->notebook || place.cell == 0) {
    return place;
  }
  const auto byte = [&](size_t line, size_t column) {
    return file->lines.byte_of({file->notebook->text_line({place.cell, line}), column});
  };
  return place_on_disk(
      place.file, byte(place.line, place.column), byte(place.end_line, place.end_column));
}

} // namespace faultline::source
