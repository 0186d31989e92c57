#include "program/operations/shapes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {
namespace {

// "B 28 28", "? 3", "d5 2": sizes with spaces between; "unknown" for unknown rank.
Dim dim(const std::string& word)
{
  if (word == "?") {
    return Dim::top();
  }
  if (word == "B") {
    return Dim::batch();
  }
  return word.front() == 'd' ? Dim::symbol(static_cast<uint32_t>(std::stoul(word.substr(1))))
                             : Dim::constant(std::stoll(word));
}

std::vector<Dim> dims(std::string_view text)
{
  std::vector<Dim> result;
  std::string word;
  for (const char c : std::string(text) + ' ') {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      result.push_back(dim(word));
      word.clear();
    }
  }
  return result;
}

Shape shape(std::string_view text)
{
  return text == "unknown" ? Shape::top() : Shape::of(dims(text));
}

std::vector<Shape> shapes(std::initializer_list<std::string_view> texts)
{
  std::vector<Shape> result;
  for (const std::string_view text : texts) {
    result.push_back(shape(text));
  }
  return result;
}

std::string said(const Shaped& result)
{
  return result.wrong ? result.wrong->message : result.shape.text();
}

TEST(Windows, FollowTheFormulas)
{
  struct Case {
    std::string_view n;
    Window window;
    std::string_view size;
  };
  const Case cases[] = {
      {"28", {.kernel = 3}, "26"},
      {"28", {.kernel = 3, .before = 1, .after = 1}, "28"},
      {"224", {.kernel = 7, .stride = 2, .before = 3, .after = 3}, "112"},
      {"28", {.kernel = 2, .stride = 2}, "14"},
      {"7", {.kernel = 2, .stride = 2}, "3"},
      {"7", {.kernel = 2, .stride = 2, .round_up = true}, "4"},
      {"4", {.kernel = 1, .stride = 3, .before = 0, .after = 0, .round_up = true}, "2"},
      {"28", {.kernel = 3, .dilation = 2}, "24"},
      {"7", {.kernel = 3, .stride = 2, .same = true}, "4"},
      {"d5", {.kernel = 3}, "d5-2"},
      {"d5", {.kernel = 2, .stride = 2}, "?"},
      {"?", {.kernel = 3}, "?"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(window_size(dim(std::string(c.n)), c.window).text(), c.size) << c.n;
  }
  EXPECT_EQ(
      transposed_size(Dim::constant(7), {.kernel = 4, .stride = 2, .before = 1, .after = 1}, 0)
          .text(),
      "14");
}

TEST(Windows, RefuseAnInputThatIsTooSmall)
{
  const std::vector<Window> five(2, Window{.kernel = 5});
  EXPECT_EQ(said(slide(shape("B 3 8 8"), 2, 2, five)), "(B, 3, 4, 4)");
  EXPECT_EQ(said(slide(shape("B 3 8 4"), 2, 2, five)),
            "axis 3 of (B, 3, 8, 4) is too small for a window of 5: the result would have size 0");
  EXPECT_EQ(said(slide(shape("B 3 8 4"), 2, 2, std::nullopt)), "(B, 3, ?, ?)");
  EXPECT_EQ(said(slide(shape("unknown"), 2, 2, five)), "unknown shape");
}

TEST(Reshape, CountsElements)
{
  struct Case {
    std::string_view from;
    std::string_view to;
    std::string_view result;
  };
  const Case cases[] = {
      {"B 28 28", "-1 784", "(B, 784)"},
      {"B 28 28", "B -1", "(B, 784)"},
      {"B 16 5 5", "-1 400", "(B, 400)"},
      {"B 16 5 5", "-1 200", "(2*B, 200)"},
      {"B 10", "-1 20", "(?, 20)"},
      {"? 28 28", "-1 784", "(?, 784)"},
      {"unknown", "-1 784", "(?, 784)"},
      {"6 4", "3 8", "(3, 8)"},
      {"d5 4", "4 d5", "(4, d5)"},
      {"B 400", "-1 784", "(B, 400) with 400*B elements cannot be reshaped to (-1, 784)"},
      {"6 4", "5 5", "(6, 4) with 24 elements cannot be reshaped to (5, 5)"},
      {"6 4", "-1 5", "(6, 4) with 24 elements cannot be reshaped to (-1, 5)"},
      {"B 400", "B 784", "(B, 400) with 400*B elements cannot be reshaped to (B, 784)"},
      {"6 4", "-1 -1", "only one size of (-1, -1) can be -1"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(said(reshaped(shape(c.from), dims(c.to))), c.result) << c.from << " to " << c.to;
  }
}

TEST(Reshape, MovesAxes)
{
  EXPECT_EQ(said(flattened(shape("B 16 5 5"), 1, -1)), "(B, 400)");
  EXPECT_EQ(said(flattened(shape("B ? 5"), 1, -1)), "(B, ?)");
  EXPECT_EQ(said(transposed(shape("2 3 4"), -1, 0)), "(4, 3, 2)");
  EXPECT_EQ(said(transposed(shape("2 3"), 1, 2)), "axis 2 of transpose is out of range for (2, 3)");
  const int64_t order[] = {0, 3, 1, 2};
  EXPECT_EQ(said(permuted(shape("B 28 30 3"), order)), "(B, 3, 28, 30)");
  EXPECT_EQ(said(permuted(shape("28 30 3"), order)),
            "4 axes are permuted, but the input is (28, 30, 3)");
  const int64_t twice[] = {0, 0};
  EXPECT_EQ(said(permuted(shape("2 3"), twice)), "axis 0 appears twice in the permutation");
  EXPECT_EQ(said(moved(shape("2 3 4"), 0, -1)), "(3, 4, 2)");
  EXPECT_EQ(said(with_new_axis(shape("2 3"), -1)), "(2, 3, 1)");
  EXPECT_EQ(said(with_new_axis(shape("2 3"), 4)), "a new axis 4 is out of range for (2, 3)");
  EXPECT_EQ(said(squeezed(shape("B 1 3"), 1)), "(B, 3)");
  EXPECT_EQ(said(squeezed(shape("B 2 3"), 1)), "(B, 2, 3)");
  EXPECT_EQ(squeezed(shape("B 1 1 3")).text(), "(B, 3)");
  EXPECT_EQ(squeezed(shape("B ? 3")).text(), "unknown shape");
}

TEST(Merge, ConcatenatesAndStacks)
{
  EXPECT_EQ(said(concatenated(shapes({"B 3 8 8", "B 5 8 8"}), 1)), "(B, 8, 8, 8)");
  EXPECT_EQ(said(concatenated(shapes({"B 3", "? 3", "4 ?"}), 0)), "(?, 3)");
  EXPECT_EQ(said(concatenated(shapes({"0", "2 3"}), 0)), "(2, 3)");
  EXPECT_EQ(said(concatenated(shapes({"B 3 8 8", "B 5 7 8"}), 1)),
            "(B, 3, 8, 8) and (B, 5, 7, 8) cannot be concatenated along axis 1: axis 2 differs");
  EXPECT_EQ(said(concatenated(shapes({"2 3", "2"}), 0)),
            "(2, 3) and (2,) cannot be concatenated: the ranks differ");
  EXPECT_EQ(said(concatenated(shapes({"2 3", "2 3"}), 2)),
            "axis 2 of concatenation is out of range for (2, 3)");
  EXPECT_EQ(said(stacked(shapes({"2 3", "2 3"}), 0)), "(2, 2, 3)");
  EXPECT_EQ(said(stacked(shapes({"2 3", "2 3", "2 ?"}), -1)), "(2, 3, 3)");
  EXPECT_EQ(said(stacked(shapes({"2 3", "2 4"}), 0)),
            "(2, 3) and (2, 4) cannot be stacked: the shapes differ");
}

TEST(Merge, MultipliesMatrices)
{
  struct Case {
    std::string_view a;
    std::string_view b;
    std::string_view result;
  };
  const Case cases[] = {
      {"B 784", "784 10", "(B, 10)"},
      {"B 8 20 64", "B 8 64 20", "(B, 8, 20, 20)"},
      {"5 2 3", "3 4", "(5, 2, 4)"},
      {"3", "3", "()"},
      {"2 3", "3", "(2,)"},
      {"3", "3 4", "(4,)"},
      {"B 784", "10 784", "(B, 784) and (10, 784) cannot be multiplied: 784 against 10"},
      {"5 2 3", "4 3 2", "(5, 2, 3) and (4, 3, 2) cannot be multiplied: 5 against 4"},
      {"", "3", "a matrix product of () and (3,): scalars have no rows"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(said(matrix_product(shape(c.a), shape(c.b))), c.result) << c.a << " by " << c.b;
  }
  EXPECT_EQ(said(dot_product(shape("2 3 4"), shape("5 4 6"))), "(2, 3, 5, 6)");
  const int64_t last[] = {-1};
  const int64_t first[] = {0};
  EXPECT_EQ(said(tensor_product(shape("2 3"), shape("3 4"), last, first)), "(2, 4)");
}

TEST(Merge, FollowsEinsum)
{
  EXPECT_EQ(said(einsum("bij, bjk -> bik", shapes({"B 2 3", "B 3 4"}))), "(B, 2, 4)");
  EXPECT_EQ(said(einsum("ij,jk", shapes({"2 3", "3 4"}))), "(2, 4)");
  EXPECT_EQ(said(einsum("ii->", shapes({"3 3"}))), "()");
  EXPECT_EQ(said(einsum("ij,jk->ik", shapes({"2 3", "5 4"}))),
            "axis `j` of the equation has sizes 3 and 5");
  EXPECT_EQ(said(einsum("ij,jk->ik", shapes({"2 3 1", "3 4"}))),
            "`ij` names 2 axes, but the operand is (2, 3, 1)");
}

TEST(Select, ReducesAxes)
{
  EXPECT_EQ(said(reduced(shape("B 3 4"), std::nullopt, false)), "()");
  EXPECT_EQ(said(reduced(shape("B 3 4"), std::vector<int64_t>{-1}, false)), "(B, 3)");
  EXPECT_EQ(said(reduced(shape("B 3 4"), std::vector<int64_t>{1, 2}, true)), "(B, 1, 1)");
  EXPECT_EQ(said(reduced(shape("B 3"), std::vector<int64_t>{2}, false)),
            "axis 2 of a reduction is out of range for (B, 3)");
  EXPECT_EQ(said(reduced(shape(""), std::vector<int64_t>{0}, false)), "()");
  EXPECT_EQ(said(reduced(shape("unknown"), std::nullopt, false)), "()");
}

TEST(Select, ExpandsTilesAndSplits)
{
  EXPECT_EQ(said(expanded(shape("B 1"), dims("-1 5"))), "(B, 5)");
  EXPECT_EQ(said(expanded(shape("3"), dims("4 3"))), "(4, 3)");
  EXPECT_EQ(said(expanded(shape("3"), dims("4 5"))),
            "(3,) cannot be expanded to (4, 5): only axes of size 1 grow");
  EXPECT_EQ(tiled(shape("2 3"), dims("4 1 2")).text(), "(4, 2, 6)");
  EXPECT_EQ(said(gathered(shape("B 10"), 1, shape("B 1"))), "(B, 1)");
  EXPECT_EQ(said(gathered(shape("B 10"), 1, shape("B"))),
            "gather needs an index of the same rank: input (B, 10), index (B,)");
  EXPECT_EQ(said(taken(shape("100 16"), 0, shape("B 7"))), "(B, 7, 16)");
  const auto chunks = chunk_sizes(Dim::constant(10), 4);
  ASSERT_TRUE(chunks);
  EXPECT_EQ(Shape::of(*chunks).text(), "(3, 3, 3, 1)");
  EXPECT_EQ(Shape::of(*split_sizes(Dim::constant(5), 2)).text(), "(2, 2, 1)");
  EXPECT_EQ(split_sizes(Dim::top(), 2), std::nullopt);
}

Index at(int64_t place)
{
  return {.kind = Index::Kind::integer, .at = Dim::constant(place)};
}

Index range(std::optional<int64_t> from,
            std::optional<int64_t> to,
            std::optional<int64_t> step = {})
{
  const auto bound = [](std::optional<int64_t> value) {
    return value ? std::optional(Dim::constant(*value)) : std::nullopt;
  };
  return {.kind = Index::Kind::slice, .from = bound(from), .to = bound(to), .step = bound(step)};
}

Index array(std::string_view text)
{
  return {.kind = Index::Kind::array, .shape = shape(text)};
}

std::string index(std::string_view text, std::vector<Index> parts)
{
  return said(indexed(shape(text), parts));
}

TEST(Indexing, DropsAndKeepsAxes)
{
  const Index ellipsis{.kind = Index::Kind::ellipsis};
  const Index fresh{.kind = Index::Kind::new_axis};
  const Index all = range({}, {});
  EXPECT_EQ(index("B 3 4", {at(0)}), "(3, 4)");
  EXPECT_EQ(index("B 3 4", {all, at(-1)}), "(B, 4)");
  EXPECT_EQ(index("B 3 4", {ellipsis, at(0)}), "(B, 3)");
  EXPECT_EQ(index("B 3 4", {fresh, ellipsis}), "(1, B, 3, 4)");
  EXPECT_EQ(index("B 3 4", {ellipsis, ellipsis}), "unknown shape");
  EXPECT_EQ(index("10 4", {range(2, 5)}), "(3, 4)");
  EXPECT_EQ(index("10 4", {range(2, 50)}), "(8, 4)");
  EXPECT_EQ(index("10 4", {range(-3, {})}), "(3, 4)");
  EXPECT_EQ(index("10 4", {range({}, {}, 3)}), "(4, 4)");
  EXPECT_EQ(index("10 4", {range({}, {}, -1)}), "(10, 4)");
  EXPECT_EQ(index("d5 4", {range(1, {})}), "(d5-1, 4)");
  EXPECT_EQ(index("d5 4", {range({}, -1)}), "(d5-1, 4)");
  EXPECT_EQ(index("d5 4", {range(-1, {})}), "(1, 4)");
  EXPECT_EQ(index("d5 4", {range({}, 7)}), "(?, 4)");
  EXPECT_EQ(index("B 3", {all, at(3)}), "index 3 is out of range for axis 1 of (B, 3)");
  EXPECT_EQ(index("B", {all, at(0)}), "2 indices for (B,), which has 1 axes");
}

TEST(Indexing, PlacesArraysAsNumpyDoes)
{
  const Index all = range({}, {});
  const Index mask{.kind = Index::Kind::mask, .at = Dim::symbol(9), .shape = shape("B")};
  EXPECT_EQ(index("B 3 4", {array("7 2")}), "(7, 2, 3, 4)");
  EXPECT_EQ(index("B 3 4", {all, array("7"), array("7")}), "(B, 7)");
  EXPECT_EQ(index("B 3 4", {array("7"), all, array("7")}), "(7, 3)");
  EXPECT_EQ(index("B 10", {array("B"), array("B")}), "(B,)");
  EXPECT_EQ(index("B 3", {mask}), "(d9, 3)");
  EXPECT_EQ(index("5 3", {{.kind = Index::Kind::mask, .at = Dim::symbol(9), .shape = shape("4")}}),
            "a mask of shape (4,) does not fit (5, 3)");
}

} // namespace
} // namespace faultline::program
