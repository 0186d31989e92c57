#include "source/notebook.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "source/json_ranges.hpp"

#include <algorithm>
#include <map>

namespace faultline::source {

static Json value_at(std::string_view json, ByteRange range)
{
  return parse_json(json.substr(range.begin, range.end - range.begin));
}

static std::string text_at(std::string_view json, std::optional<ByteRange> range)
{
  const Json value = range ? value_at(json, *range) : Json();
  return value.is_string() ? value.get<std::string>() : std::string();
}

// The member of a member: `path` from the outside in.
static std::optional<ByteRange>
at_path(std::string_view json, ByteRange value, std::initializer_list<std::string_view> path)
{
  std::optional<ByteRange> found = value;
  for (const std::string_view key : path) {
    found = found ? json_member(json, *found, key) : std::nullopt;
  }
  return found;
}

// A cell's source is one string or a list of lines with their ends.
static std::optional<std::string> source_of(const Json& value)
{
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (!value.is_array()) {
    return std::nullopt;
  }
  std::string source;
  for (const Json& line : value) {
    if (!line.is_string()) {
      return std::nullopt;
    }
    source += line.get<std::string>();
  }
  return source;
}

// All cells: directly in version 4, below worksheets in version 3.
static std::vector<ByteRange> cells_of(std::string_view json, ByteRange document)
{
  if (const std::optional<ByteRange> cells = json_member(json, document, "cells")) {
    return json_items(json, *cells);
  }
  std::vector<ByteRange> all;
  if (const std::optional<ByteRange> sheets = json_member(json, document, "worksheets")) {
    for (const ByteRange sheet : json_items(json, *sheets)) {
      if (const std::optional<ByteRange> cells = json_member(json, sheet, "cells")) {
        const std::vector<ByteRange> more = json_items(json, *cells);
        all.insert(all.end(), more.begin(), more.end());
      }
    }
  }
  return all;
}

static std::string language_of(std::string_view json, ByteRange document)
{
  for (const auto path :
       {std::initializer_list<std::string_view>{"metadata", "language_info", "name"},
        {"metadata", "kernelspec", "language"}}) {
    if (const std::string name = text_at(json, at_path(json, document, path)); !name.empty()) {
      return name;
    }
  }
  return "python";
}

Result<Notebook> Notebook::parse(std::string json)
{
  if (!Json::accept(json)) {
    return Error{ErrorKind::bad_data, "not a notebook: it is not valid JSON"};
  }
  const ByteRange document = json_document(json);
  if (!json_member(json, document, "cells") && !json_member(json, document, "worksheets")) {
    return Error{ErrorKind::bad_data, "not a notebook: it has no cells"};
  }
  std::string language = language_of(json, document);
  std::ranges::transform(language, language.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  if (!language.starts_with("python") && !language.starts_with("ipython")) {
    return Error{ErrorKind::bad_data, format("a notebook of {}, not of Python", language)};
  }
  Notebook notebook;
  size_t line = 1;
  for (const ByteRange cell : cells_of(json, document)) {
    if (text_at(json, json_member(json, cell, "cell_type")) != "code") {
      continue;
    }
    std::optional<ByteRange> range = json_member(json, cell, "source");
    range = range ? range : json_member(json, cell, "input"); // as version 3 calls it
    std::optional<std::string> source = range ? source_of(value_at(json, *range)) : std::nullopt;
    if (!source) {
      return Error{
          ErrorKind::bad_data,
          format("not a notebook: code cell {} has no source", notebook.m_cells.size() + 1)};
    }
    const size_t begin = notebook.m_text.size();
    notebook.m_text += without_magics(*source);
    notebook.m_cells.push_back({*range, begin, notebook.m_text.size(), line, std::move(*source)});
    if (!notebook.m_text.ends_with('\n') || notebook.m_text.size() == begin) {
      notebook.m_text += '\n';
    }
    line += static_cast<size_t>(
        std::ranges::count(std::string_view(notebook.m_text).substr(begin), '\n'));
  }
  notebook.m_json = std::move(json);
  return notebook;
}

std::vector<std::string> Notebook::cells() const
{
  std::vector<std::string> texts;
  for (const Cell& cell : m_cells) {
    texts.push_back(cell.source);
  }
  return texts;
}

Notebook::CellLine Notebook::cell_line(size_t line) const
{
  const auto next = std::ranges::upper_bound(m_cells, line, {}, &Cell::line);
  if (next == m_cells.begin()) {
    return {0, line};
  }
  const auto cell = next - 1;
  return {static_cast<size_t>(next - m_cells.begin()), line - cell->line + 1};
}

size_t Notebook::text_line(CellLine place) const
{
  const bool is_there = place.cell > 0 && place.cell <= m_cells.size();
  return is_there ? m_cells[place.cell - 1].line + place.line - 1 : place.line;
}

Place Notebook::locate(Place place) const
{
  const CellLine begin = cell_line(place.line);
  const CellLine end = cell_line(place.end_line);
  if (end.cell != begin.cell) {
    place.end_column = place.column;
  }
  place.cell = begin.cell;
  place.line = begin.line;
  place.end_line = end.cell == begin.cell ? end.line : begin.line;
  return place;
}

const Notebook::Cell* Notebook::cell_at(size_t byte) const
{
  const auto next = std::ranges::upper_bound(m_cells, byte, {}, &Cell::begin);
  return next == m_cells.begin() ? nullptr : &*(next - 1);
}

// How many bytes of JSON, and of the text it stands for, the character at `raw` takes.
static std::pair<size_t, size_t> escaped_size(std::string_view raw)
{
  if (!raw.starts_with('\\')) {
    return {1, 1};
  }
  if (!raw.starts_with("\\u") || raw.size() < 6) {
    return {2, 1};
  }
  const unsigned long code = std::stoul(std::string(raw.substr(2, 4)), nullptr, 16);
  if (code >= 0xD800 && code <= 0xDFFF) {
    return {12, 4}; // two halves of one character
  }
  return {6, code < 0x80 ? 1 : code < 0x800 ? 2 : 3};
}

ByteRange Notebook::in_json(ByteRange range) const
{
  const Cell* cell = cell_at(range.begin);
  if (cell == nullptr) {
    return {};
  }
  std::vector<ByteRange> strings = json_items(m_json, cell->json);
  if (strings.empty()) {
    strings.push_back(cell->json);
  }
  const std::string_view json = m_json;
  ByteRange found{cell->json.end, cell->json.end};
  size_t at = cell->begin; // of the text
  bool begun = false;
  for (const ByteRange string : strings) {
    size_t raw = string.begin + 1;
    while (raw + 1 < string.end && at < range.end) {
      if (!begun && at >= range.begin) {
        begun = true;
        found.begin = raw;
      }
      const auto [size, stands_for] = escaped_size(json.substr(raw));
      raw += size;
      at += stands_for;
    }
    if (at >= range.end) {
      found.end = raw;
      found.begin = begun ? found.begin : raw;
      break;
    }
  }
  return found;
}

// `source` as JSON, laid out as `old` is: one string, or a list with one line of code a line.
static std::string encode(const std::string& source, std::string_view old)
{
  const auto encoded = [](std::string_view text) {
    return print_json_compact(Json(std::string(text)));
  };
  if (!old.starts_with('[')) {
    return encoded(source);
  }
  const size_t first = old.find_first_not_of(" \t\r\n", 1);
  const size_t last = old.find_last_not_of(" \t\r\n", old.size() - 2);
  if (first == old.size() - 1) { // it was empty
    return source.empty() ? std::string(old) : "[" + encoded(source) + "]";
  }
  const std::string_view before = old.substr(1, first - 1);
  std::string json = "[";
  for (const std::string_view line : split_keeping_ends(source)) {
    json += (json.size() > 1 ? "," : "") + std::string(before) + encoded(line);
  }
  return json + std::string(old.substr(last + 1));
}

Result<std::string> Notebook::apply(const std::vector<Edit>& edits) const
{
  std::map<const Cell*, std::vector<Edit>> by_cell;
  for (const Edit& edit : edits) {
    const Cell* cell = cell_at(edit.begin);
    if (cell == nullptr || edit.end > cell->end) {
      return Error{ErrorKind::bad_data, "an edit reaches beyond its cell"};
    }
    by_cell[cell].push_back({edit.begin - cell->begin, edit.end - cell->begin, edit.text});
  }
  std::vector<Edit> changes; // of the file
  for (auto& [cell, here] : by_cell) {
    FL_TRY(const std::string source, apply_edits(cell->source, std::move(here)));
    const std::string_view old =
        std::string_view(m_json).substr(cell->json.begin, cell->json.end - cell->json.begin);
    changes.push_back({cell->json.begin, cell->json.end, encode(source, old)});
  }
  return apply_edits(m_json, std::move(changes));
}

} // namespace faultline::source
