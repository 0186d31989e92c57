#include "source/tree_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

namespace faultline::source {

namespace {

// A tree as people write it: "a(b c:x(d))" is a with the children b and c, whose text is x.
struct PlainTree {
  std::string kind;
  std::string text;
  std::vector<PlainTree> children;

  friend bool operator<(const PlainTree& a, const PlainTree& b)
  {
    return std::tie(a.kind, a.text, a.children) < std::tie(b.kind, b.text, b.children);
  }
};

using Forest = std::vector<PlainTree>;

Forest read_forest(std::string_view& text)
{
  const auto word = [&] {
    const size_t end = std::min(text.find_first_of("(): "), text.size());
    std::string taken(text.substr(0, end));
    text.remove_prefix(end);
    return taken;
  };
  const auto take = [&](char c) {
    const bool matches = text.starts_with(c);
    text.remove_prefix(matches ? 1 : 0);
    return matches;
  };
  Forest forest;
  while (!text.empty() && text[0] != ')') {
    PlainTree tree{word(), {}, {}};
    tree.text = take(':') ? word() : "";
    if (take('(')) {
      tree.children = read_forest(text);
      take(')');
    }
    take(' ');
    forest.push_back(std::move(tree));
  }
  return forest;
}

void add(LabelledTreeBuilder& builder, const PlainTree& tree)
{
  builder.open(make_label(tree.kind, tree.text));
  for (const PlainTree& child : tree.children) {
    add(builder, child);
  }
  builder.close();
}

LabelledTree labelled(const PlainTree& tree)
{
  LabelledTreeBuilder builder;
  add(builder, tree);
  return std::move(builder).finish();
}

LabelledTree tree(std::string_view text)
{
  return text.empty() ? LabelledTree() : labelled(read_forest(text)[0]);
}

void check(std::string_view a, std::string_view b, double distance)
{
  EXPECT_EQ(tree_distance(tree(a), tree(b)), distance) << a << " → " << b;
  EXPECT_EQ(tree_distance(tree(b), tree(a)), distance) << b << " → " << a;
}

// The definition of the distance, word for word: of two forests, the last root of either goes, or
// the two last trees are matched. Exponential but for the table of what is known.
class NaiveDistance {
public:
  double between(const Forest& a, const Forest& b)
  {
    if (a.empty() || b.empty()) {
      return static_cast<double>(size(a) + size(b));
    }
    const auto key = std::pair(a, b);
    if (const auto known = m_known.find(key); known != m_known.end()) {
      return known->second;
    }
    const Forest a_rest(a.begin(), a.end() - 1);
    const Forest b_rest(b.begin(), b.end() - 1);
    const double relabel = a.back().kind != b.back().kind   ? 1
                           : a.back().text != b.back().text ? 0.5
                                                            : 0;
    const double distance = std::min(
        {between(without_last_root(a), b) + 1,
         between(a, without_last_root(b)) + 1,
         between(a.back().children, b.back().children) + between(a_rest, b_rest) + relabel});
    return m_known[key] = distance;
  }

private:
  static size_t size(const Forest& forest)
  {
    size_t nodes = 0;
    for (const PlainTree& tree : forest) {
      nodes += 1 + size(tree.children);
    }
    return nodes;
  }

  static Forest without_last_root(Forest forest)
  {
    const Forest children = forest.back().children;
    forest.pop_back();
    forest.insert(forest.end(), children.begin(), children.end());
    return forest;
  }

  std::map<std::pair<Forest, Forest>, double> m_known;
};

PlainTree random_tree(std::mt19937_64& random, size_t nodes)
{
  PlainTree tree{
      std::string(1, "abc"[random() % 3]), std::string(random() % 2, "xy"[random() % 2]), {}};
  for (size_t left = nodes - 1; left > 0;) {
    const size_t part = 1 + random() % left;
    tree.children.push_back(random_tree(random, part));
    left -= part;
  }
  return tree;
}

LabelledTree random_labelled(std::mt19937_64& random, size_t most)
{
  return labelled(random_tree(random, 1 + random() % most));
}

} // namespace

TEST(TreeDistance, OfHandMadeTreesIsAsCountedByHand)
{
  check("", "", 0);
  check("", "a(b c)", 3);
  check("a", "a", 0);
  check("a", "b", 1);
  check("a(b)", "a", 1);
  check("a(b c)", "a(c b)", 2);
  check("a(b(c d))", "a(c d)", 1);      // b goes, its children stay
  check("a(b c d)", "a(x(b c) d)", 1);  // x comes between
  check("a(b(c(d)))", "d(c(b(a)))", 4); // each of the four is relabelled
  check("a(b c)", "x(y z)", 3);
}

// The example of the paper that the algorithm is from: c moves from above b to above both.
TEST(TreeDistance, OfThePapersExampleIsTwo)
{
  check("f(d(a c(b)) e)", "f(c(d(a b)) e)", 2);
}

TEST(TreeDistance, IsAHalfForAChangedText)
{
  check("id:x", "id:y", 0.5);
  check("id:x", "num:x", 1);
  check("call(id:f num:1)", "call(id:f num:2)", 0.5);
  check("call(id:f num:1)", "call(id:g num:2 num:3)", 2);
}

TEST(TreeDistance, FollowsTheLawsOfAMetric)
{
  std::mt19937_64 random(21);
  for (int round = 0; round < 2000; ++round) {
    const LabelledTree a = random_labelled(random, 12);
    const LabelledTree b = random_labelled(random, 12);
    const LabelledTree c = random_labelled(random, 12);
    const double ab = tree_distance(a, b);
    EXPECT_EQ(tree_distance(a, a), 0);
    EXPECT_EQ(ab, tree_distance(b, a));
    EXPECT_EQ(ab == 0, a == b);
    EXPECT_LE(ab, tree_distance(a, c) + tree_distance(c, b));
  }
}

TEST(TreeDistance, AgreesWithItsDefinition)
{
  std::mt19937_64 random(22);
  for (int round = 0; round < 300; ++round) {
    const PlainTree a = random_tree(random, 1 + random() % 9);
    const PlainTree b = random_tree(random, 1 + random() % 9);
    EXPECT_EQ(tree_distance(labelled(a), labelled(b)), NaiveDistance().between({a}, {b}));
  }
}

// The tables are kept between calls; what a larger pair left in them must not matter.
TEST(TreeDistance, DoesNotDependOnEarlierCalls)
{
  std::mt19937_64 random(23);
  const LabelledTree large = labelled(random_tree(random, 1500));
  const double before = tree_distance(tree("a(b c)"), tree("a(c)"));
  EXPECT_GT(tree_distance(large, labelled(random_tree(random, 1500))), 0);
  EXPECT_EQ(tree_distance(tree("a(b c)"), tree("a(c)")), before);
}

TEST(Similarity, GoesFromNoneToTheSame)
{
  EXPECT_EQ(similarity(tree(""), tree("")), 1);
  EXPECT_EQ(similarity(tree("a(b c)"), tree("a(b c)")), 1);
  EXPECT_EQ(similarity(tree("a(b c)"), tree("")), 0);
  EXPECT_EQ(similarity(tree("a"), tree("b")), 0.5);
  EXPECT_EQ(similarity(tree("id:x"), tree("id:y")), 0.75);
}

TEST(Similarity, StaysBetweenZeroAndOne)
{
  std::mt19937_64 random(24);
  for (int round = 0; round < 500; ++round) {
    const double value = similarity(random_labelled(random, 30), random_labelled(random, 30));
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 1);
  }
}

} // namespace faultline::source
