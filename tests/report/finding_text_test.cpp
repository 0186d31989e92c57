#include "report/finding_fixture.hpp"
#include "report/finding_text.hpp"

#include <gtest/gtest.h>

namespace faultline::report {

namespace {

std::string text_of(const source::Finding& finding, const source::FileSet& files = example_files())
{
  return "\n" + finding_text(finding, files, Painter(false));
}

// The excerpt of a place in one file, without the lines above and below it.
void check_excerpt(const std::string& source, source::Place place, const std::string& expected)
{
  source::FileSet files;
  files.add("x.py", source);
  source::Finding finding;
  finding.rule = "DL101";
  finding.message = "m";
  place.file = "x.py";
  finding.place = place;
  finding.label = "label";
  const std::string text = finding_text(finding, files, Painter(false));
  const size_t begin = text.find("|\n") + 2;
  const size_t end = text.rfind('\n', text.size() - 2) + 1;
  EXPECT_EQ("\n" + text.substr(begin, end - begin), expected) << text;
}

} // namespace

TEST(FindingText, LooksLikeAGoodCompilersMessage)
{
  EXPECT_EQ(text_of(example_finding()), R"text(
error[DL213]: probabilities passed to a loss that expects logits
 --> train.py:6:28
  |
5 | for images, labels in loader:
6 |     loss = F.cross_entropy(model(images), labels)
  |                            ^^^^^^^^^^^^^ already normalised by `nn.Softmax`
7 |     loss.backward()
  |
  = note: `nn.Softmax` is applied at train.py:3:5
  = note: seen in every run
  = help: pass the raw scores
)text");
}

TEST(FindingText, InANotebookThePlaceIsACell)
{
  EXPECT_EQ(text_of(notebook_finding()), R"text(
info[NU001]: a, b: 100 %
 --> net.ipynb:cell 1:line 2:7
  |
1 | import torch
2 | z = f("a")
  |       ^^^
  |
  = fix: call g (`--fix`)
)text");
}

TEST(FindingText, WithoutTheFileThereIsNoExcerpt)
{
  source::Finding finding = example_finding();
  finding.place.file = "gone.py";
  finding.notes.clear();
  EXPECT_EQ(text_of(finding), R"text(
error[DL213]: probabilities passed to a loss that expects logits
 --> gone.py:6:28
  = help: pass the raw scores
)text");
}

TEST(FindingText, SeveralLinesAreJoinedByABar)
{
  source::Finding finding = example_finding();
  finding.place = {"train.py", 1, 9, 3, 23};
  finding.notes.clear();
  finding.help.clear();
  EXPECT_EQ(text_of(finding), R"text(
error[DL213]: probabilities passed to a loss that expects logits
 --> train.py:1:9
  |
1 |   model = nn.Sequential(
  |  _________^
2 | |     nn.Linear(20, 5),
3 | |     nn.Softmax(dim=1))
  | |______________________^ already normalised by `nn.Softmax`
  |
)text");
}

TEST(FindingText, AWholeStatementOfSeveralLinesBeginsWithASlash)
{
  check_excerpt("a\nf(x,\n  y)\nb\n", {"", 2, 1, 3, 5}, R"text(
1 |   a
2 | / f(x,
3 | |   y)
  | |____^ label
4 |   b
)text");
}

TEST(FindingText, OfALongStatementTheMiddleIsLeftOut)
{
  std::string source = "f(\n";
  for (int i = 0; i < 20; ++i) {
    source += "  " + std::to_string(i) + ",\n";
  }
  check_excerpt(source + "  x)\n", {"", 1, 1, 22, 5}, R"text(
 1 | / f(
 2 | |   0,
 3 | |   1,
 4 | |   2,
...
21 | |   19,
22 | |   x)
   | |____^ label
)text");
}

TEST(FindingText, APlaceUpToTheNextLineEndsWithItsOwn)
{
  check_excerpt("abc\ndef\n", {"", 1, 1, 2, 1}, R"text(
1 | abc
  | ^^^ label
2 | def
)text");
}

TEST(FindingText, TabsAreExpanded)
{
  check_excerpt("\tx\ty\n", {"", 1, 4, 1, 5}, R"text(
1 |     x   y
  |         ^ label
)text");
}

TEST(FindingText, WideCharactersTakeTwoColumns)
{
  check_excerpt("s = '数字', bad\n", {"", 1, 11, 1, 14}, R"text(
1 | s = '数字', bad
  |             ^^^ label
)text");
  check_excerpt("s = '数字'\n", {"", 1, 5, 1, 9}, R"text(
1 | s = '数字'
  |     ^^^^^^ label
)text");
}

TEST(FindingText, AnEmptyPlaceHasOneCaret)
{
  check_excerpt("ab\n", {"", 1, 3, 1, 3}, R"text(
1 | ab
  |   ^ label
)text");
}

TEST(FindingText, WhatCannotBePrintedIsReplaced)
{
  check_excerpt("a\x1b[31m\xFF b\n",
                {"", 1, 9, 1, 10},
                "\n"
                "1 | a\uFFFD[31m\uFFFD b\n"
                "  |         ^ label\n");
}

TEST(FindingText, OfAVeryLongLineThePartAroundThePlaceIsShown)
{
  const std::string source = std::string(1000, 'a') + " bad " + std::string(1000, 'b') + "\n";
  check_excerpt(source,
                {"", 1, 1002, 1, 1005},
                "\n1 | …" + std::string(39, 'a') + " bad " + std::string(115, 'b') + "…\n  | " +
                    std::string(41, ' ') + "^^^ label\n");
}

TEST(FindingText, IsColouredOnDemand)
{
  source::Finding finding = notebook_finding();
  finding.fix.reset();
  EXPECT_EQ(finding_text(finding, example_files(), Painter(true)),
            "\x1b[36minfo[NU001]\x1b[0m\x1b[1m: a, b: 100 %\x1b[0m\n"
            " \x1b[34m-->\x1b[0m net.ipynb:cell 1:line 2:7\n"
            "\x1b[34m  |\x1b[0m\n"
            "\x1b[34m1 |\x1b[0m import torch\n"
            "\x1b[34m2 |\x1b[0m z = f(\"a\")\n"
            "\x1b[34m  |\x1b[0m \x1b[36m      ^^^\x1b[0m\n"
            "\x1b[34m  |\x1b[0m\n");
}

} // namespace faultline::report
