#include "source/edit.hpp"

#include "base/format.hpp"
#include "source/patch_path.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace faultline::source {

namespace {

// An edit that knows which of several lists it came from.
struct SourcedEdit {
  const Edit* edit;
  size_t part;
};

// Two neighbours in the order of the text that cannot both be done.
struct Clash {
  SourcedEdit first;
  SourcedEdit second;

  bool is_insertion() const
  {
    return first.edit->begin == first.edit->end && second.edit->begin == second.edit->end;
  }
};

} // namespace

// An insertion sorts before a replacement that begins at the same byte.
static bool is_before(const Edit& a, const Edit& b)
{
  return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
}

static bool is_compatible(const Edit& first, const Edit& second)
{
  const bool both_insert_here = first.begin == second.begin && first.end == second.end;
  return first.end <= second.begin && !both_insert_here;
}

// `edits` are in the order of the text, so a clash shows between neighbours: if each edit ends
// before the next begins, no two of them overlap.
static std::optional<Clash> find_clash(std::span<const SourcedEdit> edits)
{
  for (size_t i = 1; i < edits.size(); ++i) {
    if (!is_compatible(*edits[i - 1].edit, *edits[i].edit)) {
      return Clash{edits[i - 1], edits[i]};
    }
  }
  return std::nullopt;
}

static size_t line_of(std::string_view text, size_t byte)
{
  return 1 + static_cast<size_t>(std::ranges::count(text.substr(0, byte), '\n'));
}

static Result<void>
check_ranges(std::string_view text, std::span<const Edit> edits, std::string_view file)
{
  for (const Edit& edit : edits) {
    if (edit.begin > edit.end) {
      return Error{
          ErrorKind::bad_data,
          format("{}an edit of bytes {}..{} ends before it begins", file, edit.begin, edit.end)};
    }
    if (edit.end > text.size()) {
      return Error{ErrorKind::bad_data,
                   format("{}an edit of bytes {}..{} is outside of the text, which has {}",
                          file,
                          edit.begin,
                          edit.end,
                          text.size())};
    }
  }
  return {};
}

static std::string replace_ranges(std::string_view text, std::span<const Edit> sorted)
{
  std::string result;
  size_t done = 0;
  for (const Edit& edit : sorted) {
    result += text.substr(done, edit.begin - done);
    result += edit.text;
    done = edit.end;
  }
  result += text.substr(done);
  return result;
}

static std::vector<SourcedEdit> with_part(std::span<const Edit> edits, size_t part)
{
  std::vector<SourcedEdit> sourced;
  sourced.reserve(edits.size());
  for (const Edit& edit : edits) {
    sourced.push_back({&edit, part});
  }
  return sourced;
}

// `file` and `line_prefix` make the place in a message: nothing and "line ", or "train.py: " and
// "train.py:".
static Result<std::string> apply_edits_in(std::string_view text,
                                          std::vector<Edit> edits,
                                          std::string_view file,
                                          std::string_view line_prefix)
{
  FL_CHECK(check_ranges(text, edits, file));
  std::ranges::sort(edits, is_before);
  if (const auto clash = find_clash(with_part(edits, 0))) {
    return Error{ErrorKind::bad_data,
                 format("{}{}: two edits {}",
                        line_prefix,
                        line_of(text, clash->second.edit->begin),
                        clash->is_insertion() ? "insert at the same place" : "overlap")};
  }
  return replace_ranges(text, edits);
}

Result<std::string> apply_edits(std::string_view text, std::vector<Edit> edits)
{
  return apply_edits_in(text, std::move(edits), "", "line ");
}

// A path cannot be a file and a directory of other files at once.
static Result<void> check_no_file_is_a_directory(const FileTree& files)
{
  for (const auto& [path, content] : files) {
    const std::string inside = path + "/";
    const auto next = files.lower_bound(inside);
    if (next != files.end() && next->first.starts_with(inside)) {
      return Error{ErrorKind::bad_data,
                   format("{} cannot exist beside {}, which is a file",
                          quote_path(next->first),
                          quote_path(path))};
    }
  }
  return {};
}

Result<FileTree> apply_edits(const FileTree& base, const TreeEdits& edits)
{
  FileTree result = base;
  bool creates = false;
  for (const auto& [path, change] : edits) {
    const auto file = result.find(path);
    const std::string shown = quote_path(path);
    if (const auto* create = std::get_if<CreateFile>(&change)) {
      if (!is_inner_path(path)) {
        return Error{ErrorKind::bad_data, format("path `{}` leaves the tree", shown)};
      }
      if (file != result.end()) {
        return Error{ErrorKind::bad_data, format("{} exists already", shown)};
      }
      result.emplace(path, create->content);
      creates = true;
      continue;
    }
    if (file == result.end()) {
      return Error{ErrorKind::bad_data, format("{} does not exist", shown)};
    }
    if (const auto* list = std::get_if<std::vector<Edit>>(&change)) {
      FL_TRY(file->second, apply_edits_in(file->second, *list, shown + ": ", shown + ":"));
    } else {
      result.erase(file);
    }
  }
  if (creates) {
    FL_CHECK(check_no_file_is_a_directory(result));
  }
  return result;
}

static std::string_view verb_of(const FileEdits& change)
{
  constexpr std::string_view k_verbs[] = {"changes", "creates", "deletes"};
  return k_verbs[change.index()];
}

// What the parts do to the file at `path`; `sources` are those that do something to it.
static Result<FileEdits> merge_file(const std::string& path,
                                    std::span<const std::pair<size_t, const FileEdits*>> sources,
                                    const FileTree& base)
{
  if (sources.size() == 1) {
    return *sources[0].second;
  }
  std::vector<SourcedEdit> all;
  for (const auto& [part, change] : sources) {
    const auto* edits = std::get_if<std::vector<Edit>>(change);
    if (edits == nullptr) {
      const auto& other = sources[0].second == change ? sources[1] : sources[0];
      return Error{ErrorKind::bad_data,
                   format("{}: part {} {} the file, part {} {} it",
                          quote_path(path),
                          part,
                          verb_of(*change),
                          other.first,
                          verb_of(*other.second))};
    }
    const std::vector<SourcedEdit> sourced = with_part(*edits, part);
    all.insert(all.end(), sourced.begin(), sourced.end());
  }
  std::ranges::stable_sort(
      all, is_before, [](const SourcedEdit& sourced) -> const Edit& { return *sourced.edit; });
  if (const auto clash = find_clash(all)) {
    const auto file = base.find(path);
    const std::string_view text = file == base.end() ? std::string_view() : file->second;
    const auto [low, high] = std::minmax(clash->first.part, clash->second.part);
    return Error{
        ErrorKind::bad_data,
        format("{}:{}: parts {} and {} {}",
               quote_path(path),
               line_of(text, clash->second.edit->begin),
               low,
               high,
               clash->is_insertion() ? "insert at the same place" : "change the same text")};
  }
  std::vector<Edit> merged;
  merged.reserve(all.size());
  for (const SourcedEdit& sourced : all) {
    merged.push_back(*sourced.edit);
  }
  return FileEdits(std::move(merged));
}

Result<TreeEdits> merge(std::span<const TreeEdits> parts, const FileTree& base)
{
  std::map<std::string, std::vector<std::pair<size_t, const FileEdits*>>> by_path;
  for (size_t part = 0; part < parts.size(); ++part) {
    for (const auto& [path, change] : parts[part]) {
      by_path[path].emplace_back(part + 1, &change);
    }
  }
  TreeEdits merged;
  for (const auto& [path, sources] : by_path) {
    FL_TRY(merged[path], merge_file(path, sources, base));
  }
  return merged;
}

} // namespace faultline::source
