#include "report/finding_fixture.hpp"
#include "report/github.hpp"

#include <gtest/gtest.h>

namespace faultline::report {

TEST(GitHub, AnnotatesTheLine)
{
  EXPECT_EQ(github_annotation(example_finding(), example_files()),
            "::error file=train.py,line=6,col=28,endLine=6,endColumn=41,title=DL213::"
            "probabilities passed to a loss that expects logits"
            "%0Anote: `nn.Softmax` is applied here (train.py:3)"
            "%0Anote: seen in every run"
            "%0Ahelp: pass the raw scores\n");
}

TEST(GitHub, OfANotebookTheLineOfTheFile)
{
  EXPECT_EQ(github_annotation(notebook_finding(), example_files()),
            "::notice file=net.ipynb,line=7,col=12,endLine=7,endColumn=17,title=NU001::"
            "a, b: 100 %25\n");
}

TEST(GitHub, EscapesNamesAndLeavesColumnsOutOfSeveralLines)
{
  source::Finding finding = notebook_finding();
  finding.severity = source::Severity::warning;
  finding.place = {"a,b:c%.py", 1, 2, 3, 4};
  EXPECT_EQ(github_annotation(finding, example_files()),
            "::warning file=a%2Cb%3Ac%25.py,line=1,endLine=3,title=NU001::a, b: 100 %25\n");
}

} // namespace faultline::report
