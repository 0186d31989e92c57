#pragma once

// A variant of a program is the program plus edits. Every edit speaks about the original text,
// never about the result of another edit. So the edits of several patches against one base can be
// put together in any subset and any order, as long as no two of them touch the same bytes.

#include "base/file.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace faultline::source {

// Replace bytes `begin` up to, not including, `end` by `text`. An empty range inserts.
struct Edit {
  size_t begin = 0;
  size_t end = 0;
  std::string text;

  friend bool operator==(const Edit&, const Edit&) = default;
};

struct CreateFile {
  std::string content;

  friend bool operator==(const CreateFile&, const CreateFile&) = default;
};

struct DeleteFile {
  friend bool operator==(const DeleteFile&, const DeleteFile&) = default;
};

// What happens to one file: edits of its text, or the file comes or goes as a whole.
using FileEdits = std::variant<std::vector<Edit>, CreateFile, DeleteFile>;

// Path → what happens to that file; files that are not named stay as they are.
using TreeEdits = std::map<std::string, FileEdits>;

// The order of `edits` does not matter. Edits may touch: an insertion where a replaced range begins
// goes before it, one where it ends goes behind it. Edits that overlap, two insertions at the same
// place (their order would be a guess) and ranges outside of the text are errors.
Result<std::string> apply_edits(std::string_view text, std::vector<Edit> edits);

// A file to change or to delete must be there, one to create must not.
Result<FileTree> apply_edits(const FileTree& base, const TreeEdits& edits);

// Everything that the parts do, as one. Two parts that touch the same bytes of `base`, insert at
// the same place, or disagree about a whole file are an error, even if they would do the same.
// Which part is meant is told by its number, from 1.
Result<TreeEdits> merge(std::span<const TreeEdits> parts, const FileTree& base);

} // namespace faultline::source
