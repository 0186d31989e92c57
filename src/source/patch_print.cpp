#include "base/format.hpp"
#include "source/patch.hpp"
#include "source/patch_path.hpp"

namespace faultline::source {

// "3,7", or "3" for one line. A side without lines names the line before it.
static std::string side_of(size_t begin, size_t count)
{
  const size_t start = count == 0 ? begin : begin + 1;
  return count == 1 ? format("{}", start) : format("{},{}", start, count);
}

static void print_hunk(std::string& out, const Hunk& hunk, size_t new_begin)
{
  out += format("@@ -{} +{} @@{}\n",
                side_of(hunk.old_begin, hunk.old_count()),
                side_of(new_begin, hunk.new_count()),
                hunk.section);
  for (const PatchLine& line : hunk.lines) {
    out += line.kind == LineKind::kept ? ' ' : line.kind == LineKind::removed ? '-' : '+';
    out += line.text;
    if (!line.text.ends_with('\n')) {
      out += "\n\\ No newline at end of file\n";
    }
  }
}

// A name with spaces is closed by a tab, else `patch` would end it at the first of them.
static std::string name_line(std::string_view sign, std::string_view name)
{
  const std::string_view end = name.find(' ') == std::string_view::npos ? "" : "\t";
  return format("{} {}{}\n", sign, quote_path(name), end);
}

static void print_file(std::string& out, const FilePatch& file)
{
  const std::string old_name = "a/" + file.path;
  const std::string new_name = "b/" + file.path;
  out += format("diff --git {} {}\n", quote_path(old_name), quote_path(new_name));
  if (file.action == FileAction::create) {
    out += "new file mode 100644\n";
  } else if (file.action == FileAction::remove) {
    out += "deleted file mode 100644\n";
  }
  if (file.hunks.empty()) {
    return;
  }
  out += name_line("---", file.action == FileAction::create ? k_no_file : old_name);
  out += name_line("+++", file.action == FileAction::remove ? k_no_file : new_name);
  size_t old_lines = 0; // of the hunks so far
  size_t new_lines = 0;
  for (const Hunk& hunk : file.hunks) {
    print_hunk(out, hunk, hunk.old_begin + new_lines - old_lines);
    old_lines += hunk.old_count();
    new_lines += hunk.new_count();
  }
}

std::string print_patch(const Patch& patch)
{
  std::string out;
  for (const FilePatch& file : patch.files) {
    print_file(out, file);
  }
  return out;
}

} // namespace faultline::source
