#include "program/domains/dim.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace faultline::program {
namespace {

const Dim k_d = Dim::symbol(17);

Dim c(int64_t value)
{
  return Dim::constant(value);
}

TEST(Dim, PrintsAsPeopleWriteIt)
{
  EXPECT_EQ(c(32).text(), "32");
  EXPECT_EQ(Dim::batch().text(), "B");
  EXPECT_EQ(k_d.times(c(2)).plus(c(1)).text(), "2*d17+1");
  EXPECT_EQ(k_d.minus(c(2)).text(), "d17-2");
  EXPECT_EQ(Dim::top().text(), "?");
}

TEST(Dim, AddsAndMultipliesExactly)
{
  EXPECT_EQ(c(3).plus(c(4)), c(7));
  EXPECT_EQ(k_d.plus(k_d), k_d.times(c(2)));
  EXPECT_EQ(k_d.minus(k_d), c(0));
  EXPECT_EQ(c(2).times(k_d.plus(c(3))).text(), "2*d17+6");
  EXPECT_EQ(c(0).times(Dim::top()), c(0));
  EXPECT_EQ(c(1).times(Dim::top()), Dim::top());
}

TEST(Dim, GivesUpOnWhatIsNotAffine)
{
  EXPECT_TRUE(k_d.times(k_d).is_unknown());
  EXPECT_TRUE(k_d.plus(Dim::batch()).is_unknown());
  EXPECT_TRUE(k_d.plus(Dim::top()).is_unknown());
  EXPECT_TRUE(k_d.floor_div(2).is_unknown());
}

TEST(Dim, GivesUpOnOverflow)
{
  const Dim large = c(std::numeric_limits<int64_t>::max());
  EXPECT_TRUE(large.plus(c(1)).is_unknown());
  EXPECT_TRUE(large.times(c(2)).is_unknown());
}

TEST(Dim, DividesTowardsTheNamedSide)
{
  EXPECT_EQ(c(7).floor_div(2), c(3));
  EXPECT_EQ(c(-7).floor_div(2), c(-4));
  EXPECT_EQ(c(7).ceil_div(2), c(4));
  EXPECT_EQ(c(8).ceil_div(2), c(4));
  EXPECT_EQ(k_d.times(c(4)).plus(c(3)).floor_div(2).text(), "2*d17+1");
  EXPECT_TRUE(c(7).floor_div(0).is_unknown());
}

TEST(Dim, ComparesForEveryValueOfTheSymbols)
{
  using enum Dim::Comparison;
  EXPECT_EQ(c(3).compare(c(3)), equal);
  EXPECT_EQ(c(3).compare(c(4)), different);
  EXPECT_EQ(k_d.compare(k_d), equal);
  EXPECT_EQ(k_d.compare(k_d.plus(c(1))), different);
  EXPECT_EQ(k_d.compare(c(5)), undecided);
  EXPECT_EQ(k_d.compare(Dim::batch()), undecided);
  EXPECT_EQ(k_d.times(c(2)).compare(c(5)), different) << "an even size is not 5";
  EXPECT_EQ(k_d.plus(c(3)).compare(c(2)), different) << "no size is negative";
  EXPECT_EQ(k_d.times(c(2)).compare(k_d), undecided) << "both may be 0";
  EXPECT_EQ(Dim::top().compare(Dim::top()), undecided);
}

} // namespace
} // namespace faultline::program
