#include "program/domains/shape.hpp"

#include <gtest/gtest.h>

#include <string>

namespace faultline::program {
namespace {

const Dim k_b = Dim::batch();

Shape with_batch(std::initializer_list<int64_t> dims)
{
  return Shape::of({k_b}).plus(Shape::constants(dims));
}

TEST(Shape, PrintsAsPythonDoes)
{
  EXPECT_EQ(with_batch({28, 28, 1}).text(), "(B, 28, 28, 1)");
  EXPECT_EQ(with_batch({}).text(), "(B,)");
  EXPECT_EQ(Shape::scalar().text(), "()");
  EXPECT_EQ(Shape::top().text(), "unknown shape");
}

TEST(Shape, CountsAxesFromBothEnds)
{
  const Shape shape = Shape::constants({2, 3, 4});
  EXPECT_EQ(shape.axis(0), 0U);
  EXPECT_EQ(shape.axis(-1), 2U);
  EXPECT_EQ(shape.axis(3), std::nullopt);
  EXPECT_EQ(shape.axis(-4), std::nullopt);
  EXPECT_EQ(shape.at(-2), Dim::constant(3));
  EXPECT_TRUE(shape.at(7).is_unknown());
  EXPECT_TRUE(Shape::top().at(0).is_unknown());
}

TEST(Shape, EditsAxes)
{
  const Shape shape = Shape::constants({2, 3, 4});
  EXPECT_EQ(shape.with(-1, k_b).text(), "(2, 3, B)");
  EXPECT_EQ(shape.with(5, k_b), shape);
  EXPECT_EQ(shape.inserted(3, Dim::constant(1)).text(), "(2, 3, 4, 1)");
  EXPECT_EQ(shape.without(1).text(), "(2, 4)");
  EXPECT_EQ(shape.behind(1).text(), "(3, 4)");
  EXPECT_EQ(shape.behind(9), Shape::scalar());
  EXPECT_EQ(shape.plus(Shape::top()), Shape::top());
}

TEST(Shape, MultipliesItsSizes)
{
  EXPECT_EQ(Shape::constants({2, 3, 4}).elements(), Dim::constant(24));
  EXPECT_EQ(with_batch({28, 28}).elements().text(), "784*B");
  EXPECT_EQ(Shape::scalar().elements(), Dim::constant(1));
  EXPECT_TRUE(Shape::of_rank(2).elements().is_unknown());
}

TEST(Shape, ComparesAllAxes)
{
  using enum Dim::Comparison;
  EXPECT_EQ(with_batch({10}).compare(with_batch({10})), equal);
  EXPECT_EQ(with_batch({10}).compare(with_batch({1})), different);
  EXPECT_EQ(with_batch({10}).compare(Shape::constants({32, 10})), undecided);
  EXPECT_EQ(with_batch({10}).compare(Shape::constants({32, 1})), different);
  EXPECT_EQ(with_batch({10}).compare(with_batch({})), different);
  EXPECT_EQ(with_batch({10}).compare(Shape::top()), undecided);
}

std::string outcome(const Shape& a, const Shape& b)
{
  const Broadcast result = broadcast(a, b);
  switch (result.outcome) {
  case Broadcast::Outcome::impossible:
    return result.left.text() + " against " + result.right.text();
  case Broadcast::Outcome::undecided:
    return "perhaps " + result.shape.text();
  case Broadcast::Outcome::fits:
    break;
  }
  return result.shape.text() + (result.both_grow ? ", both grow" : "");
}

TEST(Broadcast, AlignsAtTheRight)
{
  EXPECT_EQ(outcome(Shape::constants({2, 3}), Shape::constants({3})), "(2, 3)");
  EXPECT_EQ(outcome(Shape::constants({2, 1}), Shape::constants({2, 5})), "(2, 5)");
  EXPECT_EQ(outcome(with_batch({10}), Shape::scalar()), "(B, 10)");
  EXPECT_EQ(outcome(with_batch({10}), with_batch({1})), "(B, 10)");
}

TEST(Broadcast, NamesTheSizesThatClash)
{
  EXPECT_EQ(outcome(Shape::constants({2, 3}), Shape::constants({2})), "3 against 2");
  EXPECT_EQ(outcome(with_batch({4, 3}), Shape::constants({5, 3})), "4 against 5");
}

TEST(Broadcast, SeesThatBothGrow)
{
  EXPECT_EQ(outcome(with_batch({1}), with_batch({})), "(B, B), both grow");
  EXPECT_EQ(outcome(Shape::constants({4, 1}), Shape::constants({1, 3})), "(4, 3), both grow");
  EXPECT_EQ(outcome(Shape::constants({1, 1}), Shape::constants({1})), "(1, 1)");
}

TEST(Broadcast, IsUndecidedOnUnknownSizes)
{
  EXPECT_EQ(outcome(with_batch({10}), Shape::top()), "perhaps unknown shape");
  EXPECT_EQ(outcome(with_batch({10}), Shape::constants({32, 10})), "perhaps (32, 10)");
  EXPECT_EQ(outcome(Shape::of({Dim::symbol(5)}), Shape::of({Dim::symbol(6)})), "perhaps (?,)");
}

} // namespace
} // namespace faultline::program
