#include "source/patch.hpp"

#include <algorithm>

namespace faultline::source {

static size_t count_without(const std::vector<PatchLine>& lines, LineKind kind)
{
  return lines.size() - static_cast<size_t>(std::ranges::count(lines, kind, &PatchLine::kind));
}

size_t Hunk::old_count() const
{
  return count_without(lines, LineKind::added);
}

size_t Hunk::new_count() const
{
  return count_without(lines, LineKind::removed);
}

static Hunk reverse_hunk(Hunk hunk, size_t new_begin)
{
  hunk.old_begin = new_begin;
  const auto is_kept = [](const PatchLine& line) { return line.kind == LineKind::kept; };
  const auto is_removed = [](const PatchLine& line) { return line.kind == LineKind::removed; };
  for (PatchLine& line : hunk.lines) {
    if (!is_kept(line)) {
      line.kind = is_removed(line) ? LineKind::added : LineKind::removed;
    }
  }
  // Removed lines come first in each run of changes, as everybody expects to read them.
  auto begin = hunk.lines.begin();
  while (begin != hunk.lines.end()) {
    const auto end = std::find_if(begin, hunk.lines.end(), is_kept);
    std::stable_partition(begin, end, is_removed);
    begin = std::find_if_not(end, hunk.lines.end(), is_kept);
  }
  return hunk;
}

static FileAction reverse_action(FileAction action)
{
  switch (action) {
  case FileAction::change:
    return FileAction::change;
  case FileAction::create:
    return FileAction::remove;
  case FileAction::remove:
    return FileAction::create;
  }
  FL_ASSERT(false, "every action has a reverse");
}

Patch reverse(const Patch& patch)
{
  Patch reversed{patch.name, {}};
  for (const FilePatch& file : patch.files) {
    FilePatch back{file.path, reverse_action(file.action), {}, file.patch_line};
    size_t old_lines = 0; // of the hunks so far
    size_t new_lines = 0;
    for (const Hunk& hunk : file.hunks) {
      back.hunks.push_back(reverse_hunk(hunk, hunk.old_begin + new_lines - old_lines));
      old_lines += hunk.old_count();
      new_lines += hunk.new_count();
    }
    reversed.files.push_back(std::move(back));
  }
  return reversed;
}

} // namespace faultline::source
