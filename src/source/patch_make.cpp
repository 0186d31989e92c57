#include "base/text.hpp"
#include "source/patch.hpp"

#include <algorithm>

namespace faultline::source {

static void add_lines(Hunk& hunk,
                      LineKind kind,
                      const std::vector<std::string_view>& lines,
                      size_t begin,
                      size_t count)
{
  for (size_t i = begin; i < begin + count; ++i) {
    hunk.lines.push_back({kind, std::string(lines[i])});
  }
}

// Changes with at most twice `context` kept lines between them share a hunk.
static std::vector<Hunk> make_hunks(std::string_view before, std::string_view after, size_t context)
{
  const std::vector<std::string_view> old_lines = split_keeping_ends(before);
  const std::vector<std::string_view> new_lines = split_keeping_ends(after);
  std::vector<Hunk> hunks;
  bool is_open = false;
  size_t kept_before = 0;
  const std::vector<LineChange> changes = line_diff(old_lines, new_lines);
  for (const LineChange& change : changes) {
    if (change.kind == LineKind::kept) {
      kept_before = change.count;
      const bool is_last = &change == &changes.back();
      // Halved rather than doubled: any `context` is welcome, even the largest number there is.
      const bool closes = is_last || (change.count + 1) / 2 > context;
      if (is_open) {
        const size_t count = closes ? std::min(context, change.count) : change.count;
        add_lines(hunks.back(), LineKind::kept, old_lines, change.old_line, count);
        is_open = !closes;
      }
      continue;
    }
    if (!is_open) {
      const size_t leading = std::min(context, kept_before);
      hunks.push_back({.old_begin = change.old_line - leading, .lines = {}});
      add_lines(hunks.back(), LineKind::kept, old_lines, hunks.back().old_begin, leading);
      is_open = true;
    }
    const bool is_removed = change.kind == LineKind::removed;
    add_lines(hunks.back(),
              change.kind,
              is_removed ? old_lines : new_lines,
              is_removed ? change.old_line : change.new_line,
              change.count);
  }
  return hunks;
}

Patch make_patch(const FileTree& before, const FileTree& after, size_t context)
{
  Patch patch;
  const auto add = [&](const std::string& path, FileAction action, auto& old_text, auto& new_text) {
    patch.files.push_back({path, action, make_hunks(old_text, new_text, context)});
  };
  constexpr std::string_view k_nothing;
  for (const auto& [path, content] : before) {
    const auto file = after.find(path);
    if (file == after.end()) {
      add(path, FileAction::remove, content, k_nothing);
    } else if (file->second != content) {
      add(path, FileAction::change, content, file->second);
    }
  }
  for (const auto& [path, content] : after) {
    if (!before.contains(path)) {
      add(path, FileAction::create, k_nothing, content);
    }
  }
  std::ranges::sort(patch.files, {}, &FilePatch::path);
  return patch;
}

} // namespace faultline::source
