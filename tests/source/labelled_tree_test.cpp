#include "source/labelled_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace faultline::source {

namespace {

LabelledTree tree_of(std::string text, Language language = Language::python)
{
  return labelled_tree(SyntaxTree::parse(std::move(text), language).root());
}

void check_same(const std::string& a, const std::string& b, Language language = Language::python)
{
  EXPECT_EQ(tree_of(a, language), tree_of(b, language)) << a << " and " << b;
}

void check_different(const std::string& a, const std::string& b)
{
  EXPECT_NE(tree_of(a), tree_of(b)) << a << " and " << b;
}

// The labels as one reads the code: each node before its children.
void check_labels(const LabelledTree& tree, std::vector<NodeLabel> labels)
{
  std::ranges::reverse(labels);
  EXPECT_EQ(tree.labels, labels);
}

using Numbers = std::vector<uint32_t>;

} // namespace

TEST(LabelledTree, IsInThePostOrderOfItsMirrorImage)
{
  // (a (b c) d)
  LabelledTreeBuilder builder;
  builder.open(make_label("a"));
  builder.open(make_label("b"));
  builder.open(make_label("c"));
  builder.close();
  builder.close();
  builder.open(make_label("d"));
  builder.close();
  builder.close();
  const LabelledTree tree = std::move(builder).finish();
  const std::vector<NodeLabel> labels = {
      make_label("d"), make_label("c"), make_label("b"), make_label("a")};
  EXPECT_EQ(tree.labels, labels);
  EXPECT_EQ(tree.first_leaf, (Numbers{0, 1, 1, 0}));
  EXPECT_EQ(tree.keyroots, (Numbers{2, 3}));
}

TEST(LabelledTree, OfNothingIsEmpty)
{
  EXPECT_EQ(LabelledTreeBuilder().finish().size(), 0U);
}

TEST(LabelledTree, LabelsNamesLiteralsAndOperatorsByText)
{
  check_labels(tree_of("x += 0.1\n"),
               {make_label("module"),
                make_label("expression_statement"),
                make_label("augmented_assignment"),
                make_label("identifier", "x"),
                make_label("operator", "+="),
                make_label("float", "0.1")});
}

TEST(LabelledTree, LabelsKeywordsByKind)
{
  check_labels(tree_of("return not x\n"),
               {make_label("module"),
                make_label("return_statement"),
                make_label("return"),
                make_label("not_operator"),
                make_label("operator", "not"),
                make_label("identifier", "x")});
}

TEST(LabelledTree, LeavesOutCommentsPunctuationAndLayout)
{
  check_same("f(x, [1])\n", "f( x,[ 1 ], )  # a call\n\n");
  check_same("f(a); g(b);", "f(a)\n  g(b) // more\n", Language::javascript);
  check_same("int x{1}; /* one */", "int x { 1 } ;", Language::cpp);
}

TEST(LabelledTree, DoesNotCareWhichQuotesAStringHas)
{
  check_same("x = 'adam'\n", "x = \"adam\"\n");
  check_same("x = 'adam'", "x = \"adam\"", Language::javascript);
}

TEST(LabelledTree, KnowsTheWholeTextOfAString)
{
  check_different("x = 'a\\n'\n", "x = 'b\\n'\n");
  check_different("x = 'a\\n'\n", "x = 'a\\t'\n");
  check_different("x = f'{a}'\n", "x = f'{b}'\n");
}

TEST(LabelledTree, OfSeveralNodesHasARootOfItsOwn)
{
  const SyntaxTree syntax = SyntaxTree::parse("x\ny\n", Language::python);
  const std::vector<Node> statements = syntax.root().children();
  check_labels(labelled_tree(statements),
               {root_label(),
                make_label("expression_statement"),
                make_label("identifier", "x"),
                make_label("expression_statement"),
                make_label("identifier", "y")});
  check_labels(labelled_tree(std::span<const Node>()), {root_label()});
}

TEST(LabelledTree, SurvivesDeepNesting)
{
  const size_t depth = 10'000;
  EXPECT_GT(tree_of(std::string(depth, '(') + "x" + std::string(depth, ')')).size(), depth);
}

} // namespace faultline::source
