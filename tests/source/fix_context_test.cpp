#include "source/fix_context.hpp"
#include "source/tree_distance.hpp"

#include <gtest/gtest.h>

namespace faultline::source {

namespace {

FixTrees trees_of(const FileTree& buggy, const FileTree& fixed)
{
  std::optional<FixTrees> trees = fix_trees(buggy, fixed);
  EXPECT_TRUE(trees);
  return trees.value_or(FixTrees());
}

FixTrees
trees_of(const std::string& buggy, const std::string& fixed, const std::string& file = "t.py")
{
  return trees_of(FileTree{{file, buggy}}, FileTree{{file, fixed}});
}

// The statements of `text`, as a side of a fix.
LabelledTree statements(const std::string& text, Language language = Language::python)
{
  const SyntaxTree tree = SyntaxTree::parse(text, language);
  return labelled_tree(tree.root().children());
}

// Both sides consist of the given statements.
void check(const std::string& buggy,
           const std::string& fixed,
           const std::string& buggy_statements,
           const std::string& fixed_statements,
           const std::string& file = "t.py")
{
  const FixTrees trees = trees_of(buggy, fixed, file);
  EXPECT_EQ(trees.language, language_of(file));
  EXPECT_EQ(trees.buggy, statements(buggy_statements, trees.language)) << "buggy side";
  EXPECT_EQ(trees.fixed, statements(fixed_statements, trees.language)) << "fixed side";
}

const std::string k_loop = "import torch\n"
                           "net = Net()\n"
                           "for x, y in data:\n"
                           "    loss = f(net(x), y)\n"
                           "    loss.backward()\n"
                           "    if done(loss):\n"
                           "        break\n"
                           "    optimizer.step()\n"
                           "print(loss)\n";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
  return text.replace(text.find(from), from.size(), to);
}

} // namespace

TEST(FixContext, IsTheStatementThatChanges)
{
  check(k_loop,
        replaced(k_loop, "net(x)", "net(x).log()"),
        "loss = f(net(x), y)\n",
        "loss = f(net(x).log(), y)\n");
}

TEST(FixContext, IsTheWholeStatementWhenOneOfItsLinesChanges)
{
  check("x = 1\nfit(a,\n    epochs=1,\n    lr=0.1)\n",
        "x = 1\nfit(a,\n    epochs=9,\n    lr=0.1)\n",
        "fit(a, epochs=1, lr=0.1)\n",
        "fit(a, epochs=9, lr=0.1)\n");
}

TEST(FixContext, IsTheHeadOfACompoundStatement)
{
  const FixTrees trees = trees_of(k_loop, replaced(k_loop, "in data", "in train_data"));
  const LabelledTree head = statements("for x, y in data:\n    pass\n");
  // The block stays as a node, without its statements.
  EXPECT_EQ(tree_distance(trees.buggy, head),
            static_cast<double>(head.size() - trees.buggy.size()));
  EXPECT_EQ(tree_distance(trees.buggy, trees.fixed), 0.5);
}

TEST(FixContext, IsTheStatementBeforeAnInsertion)
{
  check(k_loop,
        replaced(k_loop, "    optimizer.step()\n", "    optimizer.step()\n    log(loss)\n"),
        "optimizer.step()\n",
        "log(loss)\n");
}

TEST(FixContext, PassesOverCommentsToTheStatementBeforeAnInsertion)
{
  check("a = 1\n\n# now b\n", "a = 1\n\n# now b\nb = 2\n", "a = 1\n", "b = 2\n");
}

TEST(FixContext, IsTheFirstStatementForAnInsertionAtTheBeginning)
{
  check("a = 1\n", "import b\na = 1\n", "a = 1\n", "import b\n");
}

TEST(FixContext, IsTheStatementBeforeADeletion)
{
  check("a = 1\nb = 2\nc = 3\n", "a = 1\nc = 3\n", "b = 2\n", "a = 1\n");
}

TEST(FixContext, KeepsTheNestingOfWhatIsNew)
{
  check("a()\n", "a()\nfor x in y:\n    b(x)\n", "a()\n", "for x in y:\n    b(x)\n");
}

TEST(FixContext, TakesSeveralPlacesInTheirOrder)
{
  check("a = 1\nb = 2\nc = 3\n", "a = 9\nb = 2\nc = 8\n", "a = 1\nc = 3\n", "a = 9\nc = 8\n");
}

TEST(FixContext, IgnoresComments)
{
  check("# one\na = 1\n\n\nb = 1\n", "# two\na = 1\n\n\nb = 2\n", "b = 1\n", "b = 2\n");
  EXPECT_EQ(fix_trees({{"t.py", "# one\na = 1\n"}}, {{"t.py", "# two\na = 1\n"}}), std::nullopt);
}

TEST(FixContext, ReadsJavaScript)
{
  check("function train(m) {\n  m.compile({loss: 'mse'});\n  return m;\n}\n",
        "function train(m) {\n  m.compile({loss: 'bce'});\n  return m;\n}\n",
        "m.compile({loss: 'mse'});\n",
        "m.compile({loss: 'bce'});\n",
        "train.mjs");
}

TEST(FixContext, FindsTheStatementInsideAFunctionInsideAnExpression)
{
  check("xs.forEach(x => {\n  a(x);\n  b(x);\n});\n",
        "xs.forEach(x => {\n  a(x);\n  c(x);\n});\n",
        "b(x);\n",
        "c(x);\n",
        "train.js");
}

TEST(FixContext, ReadsCpp)
{
  check("int main() {\n  for (auto& x : xs) {\n    f(x);\n  }\n}\n",
        "int main() {\n  for (auto& x : xs) {\n    g(x, 1);\n  }\n}\n",
        "f(x);\n",
        "g(x, 1);\n",
        "train.cpp");
}

TEST(FixContext, IsNothingWithoutCode)
{
  EXPECT_EQ(fix_trees({}, {}), std::nullopt);
  EXPECT_EQ(fix_trees({{"t.py", "a\n"}}, {{"t.py", "a\n"}}), std::nullopt);
  EXPECT_EQ(fix_trees({{"config.json", "1\n"}}, {{"config.json", "2\n"}}), std::nullopt);
}

TEST(FixContext, TakesFilesThatComeAndGo)
{
  const FixTrees trees = trees_of(FileTree{{"a.py", "a = 1\n"}}, FileTree{{"b.py", "b = 2\n"}});
  EXPECT_EQ(trees.buggy, statements("a = 1\n"));
  EXPECT_EQ(trees.fixed, statements("b = 2\n"));
}

TEST(FixContext, IsInTheLanguageWithMostChangedLines)
{
  const FixTrees trees = trees_of(FileTree{{"a.py", "a = 1\n"}, {"b.js", "a(1);\nb(2);\n"}},
                                  FileTree{{"a.py", "a = 2\n"}, {"b.js", "a(3);\nb(4);\n"}});
  EXPECT_EQ(trees.language, Language::javascript);
  EXPECT_EQ(trees.fixed, statements("a(3);\nb(4);\n", Language::javascript));
}

TEST(FixContext, SurvivesBrokenCode)
{
  const FixTrees trees = trees_of("def f(:\n    x = = 1\n", "def f():\n    x = 1\n");
  EXPECT_GT(trees.buggy.size(), 1U);
  EXPECT_EQ(trees.fixed, statements("def f():\n    x = 1\n"));
}

TEST(FixSimilarity, IsOneForTheSameFixElsewhere)
{
  const FixTrees here = trees_of(k_loop, replaced(k_loop, "net(x)", "net(x).log()"));
  const FixTrees there = trees_of("loss = f(net(x), y)\n", "loss = f(net(x).log(), y)\n");
  EXPECT_EQ(fix_similarity(here, there), 1);
}

TEST(FixSimilarity, RanksAFixOfTheSameKindFirst)
{
  const FixTrees rate =
      trees_of("opt = SGD(net.parameters(), lr=10)\n", "opt = SGD(net.parameters(), lr=0.1)\n");
  const FixTrees other_rate = trees_of("optimizer = Adam(model.parameters(), lr=1.0)\n",
                                       "optimizer = Adam(model.parameters(), lr=0.001)\n");
  const FixTrees import = trees_of("import os\n", "import sys\n");
  EXPECT_GT(fix_similarity(rate, other_rate), 0.8);
  EXPECT_LT(fix_similarity(rate, import), 0.6);
}

TEST(FixSimilarity, IsSymmetric)
{
  const FixTrees a = trees_of("a = f(1)\n", "a = f(2)\n");
  const FixTrees b = trees_of("for x in y:\n    g(x)\n", "for x in z:\n    h(x)\n");
  EXPECT_EQ(fix_similarity(a, b), fix_similarity(b, a));
}

TEST(FixSimilarity, IsZeroBetweenLanguages)
{
  EXPECT_EQ(fix_similarity(trees_of("f(1)\n", "f(2)\n"), trees_of("f(1)\n", "f(2)\n", "t.js")), 0);
}

} // namespace faultline::source
