#pragma once

#include "source/finding.hpp"
#include "source/line_index.hpp"
#include "source/notebook.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::source {

// The texts that findings speak about, by path, for whoever shows or changes them.
class FileSet {
public:
  FileSet();
  ~FileSet();
  FileSet(FileSet&&) noexcept;
  FileSet& operator=(FileSet&&) noexcept;

  // A file as analysed. Adding one that is there already changes nothing.
  void add(const std::string& path, std::string text);
  void add(const std::string& path, Notebook notebook);
  bool contains(const std::string& path) const;

  // Line `line` of the file, or of the cell, that `place` is in; nothing if there is none.
  std::optional<std::string_view> line(const Place& place, size_t line) const;

  // Bytes `begin` to `end` of the text as analysed, as people count: in a notebook, in its cell.
  Place place(const std::string& path, size_t begin, size_t end) const;

  // The same as a place of the file on disk: of a notebook, in its JSON.
  Place place_on_disk(const std::string& path, size_t begin, size_t end) const;
  Place place_on_disk(const Place& place) const;

  const Notebook* notebook(const std::string& path) const; // null if it is none
  const std::string* text(const std::string& path) const;  // as analysed; null if not there

private:
  struct File;
  const File* find(const std::string& path) const;

  std::map<std::string, std::unique_ptr<File>> m_files;
};

} // namespace faultline::source
