#pragma once

// Unified diffs, read strictly: a patch either fits its base exactly or is an error that says where
// it does not. There is no fuzz and no searching for a moved context, because a fault whose fix
// lands on the wrong line would be a different fault.

#include "source/edit.hpp"
#include "source/line_diff.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::source {

struct PatchLine {
  LineKind kind = LineKind::kept;
  std::string text;      // ends in "\n", but for the last line of a file that has none there
  size_t patch_line = 0; // where it stands in the patch, from 1; 0 if it was not read

  // Where a line was read from does not matter to what it does. The same goes for hunks and files.
  friend bool operator==(const PatchLine& a, const PatchLine& b)
  {
    return a.kind == b.kind && a.text == b.text;
  }
};

struct Hunk {
  // How many lines of the old file stand before the hunk. Its place in the new file follows from
  // the hunks before it, so it is not kept, and what a patch says about it is not believed.
  size_t old_begin = 0;
  std::vector<PatchLine> lines;
  std::string section = {}; // what follows the second "@@", often the name of a function
  size_t patch_line = 0;    // of its "@@"

  size_t old_count() const;
  size_t new_count() const;

  friend bool operator==(const Hunk& a, const Hunk& b)
  {
    return a.old_begin == b.old_begin && a.lines == b.lines && a.section == b.section;
  }
};

enum class FileAction { change, create, remove };

// A changed file has at least one hunk, a created or removed one has at most one. Hunks are in the
// order of the file and do not overlap.
struct FilePatch {
  std::string path;
  FileAction action = FileAction::change;
  std::vector<Hunk> hunks;
  size_t patch_line = 0; // of its header

  friend bool operator==(const FilePatch& a, const FilePatch& b)
  {
    return a.path == b.path && a.action == b.action && a.hunks == b.hunks;
  }
};

// Each path occurs once.
struct Patch {
  std::string name; // of the file it was read from, for messages
  std::vector<FilePatch> files;

  friend bool operator==(const Patch& a, const Patch& b) { return a.files == b.files; }
};

// Git and plain headers; text around the files, such as a mail's, is passed over. Modes are
// ignored, as a FileTree has none. Renames, copies, links and binary files are refused: write a
// rename as a file that is removed and one that is created.
Result<Patch> parse_patch(std::string_view text, std::string_view name);

// In git's form, for `git apply` as well as for `patch -p1`.
std::string print_patch(const Patch& patch);

// The patch that takes back what `patch` does.
Patch reverse(const Patch& patch);

// The shortest patch from `before` to `after`, with up to `context` unchanged lines around changes.
Patch make_patch(const FileTree& before, const FileTree& after, size_t context = 3);

// What `patch` does to `base`. The edits cover the changed lines only, so that patches of
// neighbouring lines, each with the other's lines in its context, can be merged.
Result<TreeEdits> edits_of(const Patch& patch, const FileTree& base);

Result<FileTree> apply_patch(const Patch& patch, const FileTree& base);

} // namespace faultline::source
