#include "campaign/bytecode.hpp"
#include "inject/selection.hpp"
#include "run/job_fixture.hpp"
#include "run/packages.hpp"

#include <gtest/gtest.h>

namespace faultline::campaign {

namespace {

std::vector<inject::Variant> variants_of(const FileTree& files, const char* op)
{
  inject::Selection selection;
  selection.operators = *inject::select_operators({op});
  return inject::make_variants(files, selection);
}

std::vector<std::string> changes(const std::vector<inject::Variant>& variants)
{
  std::vector<std::string> texts;
  for (const inject::Variant& variant : variants) {
    texts.push_back(std::to_string(variant.line) + ": " + variant.before + " → " + variant.after);
  }
  return texts;
}

using Strings = std::vector<std::string>;

} // namespace

TEST(Bytecode, LeavesOutWhatPythonDoesNotTellApart)
{
  const FileTree files = {{"train.py",
                           "import torch\n"
                           "\n"
                           "def train(x):\n"
                           "    size: Literal[1]\n" // not evaluated in a function
                           "    while 1:\n"         // any number but 0 is an endless loop
                           "        x = x + 1\n"
                           "        y = 0.0; z = 2\n"
                           "    return x\n"
                           "\n"
                           "a = 3; b = 4\n"}};
  const Result<Compiled> compiled =
      compile_variants(variants_of(files, "NVR"), files, run::machine());
  ASSERT_TRUE(compiled) << compiled.error().line();
  EXPECT_EQ(changes(compiled->equivalent), (Strings{"4: 1 → 2", "5: 1 → 2"}));
  EXPECT_EQ(changes(compiled->different),
            (Strings{"6: 1 → 2", "7: 0.0 → 1.0", "7: 2 → 3", "10: 3 → 4", "10: 4 → 5"}));
  EXPECT_TRUE(compiled->broken.empty());
}

TEST(Bytecode, TellsTypesAndSignsApart)
{
  const FileTree files = {{"a.py", "x = 1\ny = 0.0\n"}};
  std::vector<inject::Variant> variants(4);
  variants[0].edits = {{4, 5, "True"}};
  variants[1].edits = {{4, 5, "1.0"}};
  variants[2].edits = {{10, 13, "-0.0"}};
  variants[3].edits = {{4, 5, "0x1"}};
  for (inject::Variant& variant : variants) {
    variant.file = "a.py";
    variant.after = variant.edits.front().text;
  }
  const Result<Compiled> compiled = compile_variants(variants, files, run::machine());
  ASSERT_TRUE(compiled) << compiled.error().line();
  EXPECT_EQ(compiled->different.size(), 3U);
  ASSERT_EQ(compiled->equivalent.size(), 1U);
  EXPECT_EQ(compiled->equivalent.front().after, "0x1");
}

TEST(Bytecode, SaysWhatPythonRefuses)
{
  // What the grammar reads but Python does not: an augmented assignment has one plain target.
  const FileTree files = {{"a.py", "x = 1\nnonlocal_ = 2\n"}, {"broken.py", "return return 1\n"}};
  std::vector<inject::Variant> variants(3);
  variants[0].file = variants[1].file = "a.py";
  variants[0].edits = {{0, 1, "None"}};
  variants[1].edits = {{0, 1, "y"}, {18, 19, "3"}};
  variants[2].file = "broken.py";
  variants[2].edits = {{14, 15, "2"}};
  const Result<Compiled> compiled = compile_variants(variants, files, run::machine());
  ASSERT_TRUE(compiled) << compiled.error().line();
  ASSERT_EQ(compiled->broken.size(), 1U);
  EXPECT_EQ(compiled->broken.front().edits.front().text, "None");
  EXPECT_EQ(compiled->different.size(), 2U);
}

TEST(Bytecode, SeesFutureImportsDecoratorsAndOtherEncodings)
{
  const FileTree files = {{"a.py",
                           "# coding: latin-1\n"
                           "from __future__ import annotations\n"
                           "name = '\xe9'\n"
                           "@wrap(1)\n"
                           "def f(x: Box[2]): return x\n"}};
  const Result<Compiled> compiled =
      compile_variants(variants_of(files, "NVR"), files, run::machine());
  ASSERT_TRUE(compiled) << compiled.error().line();
  EXPECT_EQ(changes(compiled->different), (Strings{"4: 1 → 2", "5: 2 → 3"}));
}

TEST(Bytecode, JudgesTheSameByPieceAsByWholeFile)
{
  // An edit of the last line feed of a statement reaches beyond it, so that the whole is compiled.
  const Result<run::InstalledPackage> package =
      run::installed_package(run::machine(), "torch.nn.modules.rnn");
  ASSERT_TRUE(package) << package.error().line();
  const std::vector<inject::Variant> by_piece = variants_of(package->files, "source");
  ASSERT_GT(by_piece.size(), 100U);
  const std::string& text = package->files.begin()->second;
  const FileTree longer = {{package->files.begin()->first, text + "\n# end\n"}};
  std::vector<inject::Variant> by_whole;
  for (size_t i = 0; i < by_piece.size(); i += 10) {
    by_whole.push_back(by_piece[i]);
    by_whole.back().edits.push_back({text.size() + 1, text.size() + 1, "#"});
  }
  const Result<Compiled> pieces = compile_variants(by_piece, longer, run::machine());
  const Result<Compiled> wholes = compile_variants(by_whole, longer, run::machine());
  ASSERT_TRUE(pieces) << pieces.error().line();
  ASSERT_TRUE(wholes) << wholes.error().line();
  std::map<std::string, std::string> verdicts;
  for (const auto& [list, word] : {std::pair(&pieces->different, "different"),
                                   std::pair(&pieces->equivalent, "equivalent"),
                                   std::pair(&pieces->broken, "broken")}) {
    for (const inject::Variant& variant : *list) {
      verdicts[variant.id] = word;
    }
  }
  for (const auto& [list, word] : {std::pair(&wholes->different, "different"),
                                   std::pair(&wholes->equivalent, "equivalent"),
                                   std::pair(&wholes->broken, "broken")}) {
    for (const inject::Variant& variant : *list) {
      EXPECT_EQ(verdicts[variant.id], word) << variant.id << " at line " << variant.line;
    }
  }
}

} // namespace faultline::campaign
