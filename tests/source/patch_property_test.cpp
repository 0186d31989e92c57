// What must hold for every patch, on random trees: making, printing, parsing, applying and taking
// back agree with each other.

#include "base/text.hpp"
#include "source/patch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace faultline::source {

namespace {

using Random = std::mt19937_64;

// Few different lines, so that much repeats and alignments are ambiguous; some look like a patch.
std::string random_line(Random& random)
{
  static constexpr std::string_view k_lines[] = {
      "", "x = 1", "-- y", "++ y", "@@ -1 +1 @@", "loss\r", "\\ No newline", " ", "\tz", "é\x80"};
  return std::string(k_lines[random() % std::size(k_lines)]);
}

std::string random_text(Random& random)
{
  std::string text;
  for (size_t n = random() % 20; n > 0; --n) {
    text += random_line(random) + "\n";
  }
  if (random() % 3 == 0) {
    text += random_line(random); // a last line without line feed, or none
  }
  return text;
}

std::string random_change(Random& random, std::string_view text)
{
  std::vector<std::string> lines;
  for (const std::string_view line : split_keeping_ends(text)) {
    lines.emplace_back(line);
  }
  for (size_t n = random() % 5; n > 0; --n) {
    const auto at = static_cast<std::ptrdiff_t>(random() % (lines.size() + 1));
    if (random() % 2 == 0 || lines.empty()) {
      lines.insert(lines.begin() + at, random_line(random) + "\n");
    } else {
      lines.erase(lines.begin() + std::min(at, std::ssize(lines) - 1));
    }
  }
  std::string changed;
  for (const std::string& line : lines) {
    changed += line;
  }
  if (random() % 4 == 0 && changed.ends_with('\n')) {
    changed.pop_back();
  }
  return changed;
}

const std::vector<std::string> k_paths = {
    "train.py", "a/model.py", "b/x", "my file.py", "new\nline", "quote\"d", "é", "x b/x"};

FileTree random_tree(Random& random)
{
  FileTree tree;
  for (const std::string& path : k_paths) {
    if (random() % 2 == 0) {
      tree[path] = random_text(random);
    }
  }
  return tree;
}

FileTree random_change(Random& random, const FileTree& before)
{
  FileTree after = random() % 4 == 0 ? random_tree(random) : before;
  for (auto& [path, text] : after) {
    text = random_change(random, text);
  }
  return after;
}

void expect_tree(const Result<FileTree>& result, const FileTree& expected)
{
  ASSERT_TRUE(result) << result.error().line();
  EXPECT_EQ(*result, expected);
}

} // namespace

TEST(PatchProperty, PatchesTurnOneTreeIntoTheOtherAndBack)
{
  Random random(11);
  for (int round = 0; round < 2000 && !testing::Test::HasFailure(); ++round) {
    const FileTree before = random_tree(random);
    const FileTree after = random_change(random, before);
    const Patch patch = make_patch(before, after, random() % 5);
    const std::string text = print_patch(patch);
    SCOPED_TRACE(text);

    expect_tree(apply_patch(patch, before), after);
    expect_tree(apply_patch(reverse(patch), after), before);
    EXPECT_EQ(reverse(reverse(patch)), patch);

    const Result<Patch> parsed = parse_patch(text, "p");
    ASSERT_TRUE(parsed) << parsed.error().line();
    EXPECT_EQ(*parsed, patch);
    const Result<Patch> back = parse_patch(print_patch(reverse(patch)), "p");
    ASSERT_TRUE(back) << back.error().line();
    EXPECT_EQ(*back, reverse(patch));
  }
}

// A patch cut into its hunks: every subset of the pieces merges, and all of them are the whole.
TEST(PatchProperty, HunksMergeLikeSeparatePatches)
{
  Random random(12);
  for (int round = 0; round < 500 && !testing::Test::HasFailure(); ++round) {
    const FileTree before = random_tree(random);
    const FileTree after = random_change(random, before);
    std::vector<TreeEdits> pieces;
    for (const FilePatch& file : make_patch(before, after, 0).files) {
      std::vector<FilePatch> parts(std::max<size_t>(1, file.hunks.size()), file);
      for (size_t i = 0; i < file.hunks.size(); ++i) {
        parts[i].hunks = {file.hunks[i]};
      }
      for (const FilePatch& part : parts) {
        const Result<TreeEdits> edits = edits_of({"", {part}}, before);
        ASSERT_TRUE(edits) << edits.error().line();
        pieces.push_back(*edits);
      }
    }
    std::ranges::shuffle(pieces, random);
    const Result<TreeEdits> all = merge(pieces, before);
    ASSERT_TRUE(all) << all.error().line();
    expect_tree(apply_edits(before, *all), after);
    const size_t some = pieces.empty() ? 0 : random() % pieces.size();
    EXPECT_TRUE(merge(std::span(pieces).first(some), before));
  }
}

// Texts that were cut, joined and mangled are either refused in one line or read and printed alike.
TEST(PatchProperty, MangledTextIsRefusedOrReadFaithfully)
{
  Random random(13);
  for (int round = 0; round < 3000 && !testing::Test::HasFailure(); ++round) {
    const FileTree before = random_tree(random);
    std::string text = print_patch(make_patch(before, random_change(random, before)));
    for (size_t n = 1 + random() % 3; n > 0 && !text.empty(); --n) {
      const size_t at = random() % text.size();
      text.replace(at, random() % 3, std::string(random() % 2, "\n-+ @1,\\"[random() % 8]));
    }
    const Result<Patch> patch = parse_patch(text, "p");
    if (!patch) {
      EXPECT_TRUE(patch.error().message.starts_with("p:")) << patch.error().message;
      continue;
    }
    const Result<Patch> again = parse_patch(print_patch(*patch), "p");
    ASSERT_TRUE(again) << again.error().line() << "\n" << text;
    EXPECT_EQ(*again, *patch);
    if (const Result<FileTree> after = apply_patch(*patch, before)) {
      expect_tree(apply_patch(reverse(*patch), *after), before);
    }
  }
}

} // namespace faultline::source
