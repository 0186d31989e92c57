#include "program/domains/interval.hpp"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

constexpr double k_inf = Interval::k_inf;
const Interval k_unit = Interval::of(0, 1);
const Interval k_signed = Interval::of(-2, 3);

TEST(Interval, TellsUnknownFromAllReals)
{
  EXPECT_FALSE(Interval::top().is_known());
  EXPECT_TRUE(Interval::reals().is_known());
  EXPECT_FALSE(Interval::top().includes(0));
  EXPECT_TRUE(Interval::reals().includes(0));
  EXPECT_FALSE(Interval::top().overlaps(0, 1));
  EXPECT_EQ(Interval::top().text(), "unknown");
  EXPECT_EQ(Interval::reals().text(), "[-inf, inf]");
  EXPECT_EQ(Interval::of(0, 255).text(), "[0, 255]");
  EXPECT_EQ(Interval::point(7).value(), 7);
  EXPECT_EQ(k_unit.value(), std::nullopt);
}

TEST(Interval, CalculatesWithEndPoints)
{
  EXPECT_EQ(k_unit.plus(k_signed), Interval::of(-2, 4));
  EXPECT_EQ(k_unit.minus(k_signed), Interval::of(-3, 3));
  EXPECT_EQ(k_signed.times(k_signed), Interval::of(-6, 9));
  EXPECT_EQ(k_signed.square(), Interval::of(0, 9));
  EXPECT_EQ(k_signed.abs(), Interval::of(0, 3));
  EXPECT_EQ(k_signed.negated(), Interval::of(-3, 2));
  EXPECT_EQ(k_unit.over(Interval::of(2, 4)), Interval::of(0, 0.5));
  EXPECT_EQ(k_unit.over(k_signed), Interval::reals());
  EXPECT_EQ(k_unit.scaled(10), Interval::of(0, 10));
  EXPECT_EQ(Interval::of(-1.5, 1.5).floor(), Interval::of(-2, 1));
}

TEST(Interval, SaturatesAtInfinity)
{
  EXPECT_EQ(Interval::reals().plus(Interval::reals()), Interval::reals());
  EXPECT_EQ(Interval::reals().minus(Interval::reals()), Interval::reals());
  EXPECT_EQ(Interval::reals().times(Interval::point(0)), Interval::point(0));
  EXPECT_EQ(Interval::reals().square(), Interval::of(0, k_inf));
}

TEST(Interval, KeepsTheUnknownUnknownUnlessBounded)
{
  EXPECT_EQ(Interval::top().plus(k_unit), Interval::top());
  EXPECT_EQ(Interval::top().abs(), Interval::top());
  EXPECT_EQ(Interval::top().maximum(Interval::point(0)), Interval::of(0, k_inf));
  EXPECT_EQ(Interval::top().minimum(Interval::point(0)), Interval::of(-k_inf, 0));
  EXPECT_EQ(Interval::top().maximum(k_unit), Interval::top());
  EXPECT_EQ(Interval::top().clipped(1e-7, std::nullopt), Interval::of(1e-7, k_inf));
  EXPECT_EQ(Interval::top().clipped(0, 1), k_unit);
}

TEST(Interval, ClipsAndCompares)
{
  EXPECT_EQ(k_signed.clipped(0, 1), k_unit);
  EXPECT_EQ(k_signed.clipped(std::nullopt, 1), Interval::of(-2, 1));
  EXPECT_EQ(k_signed.clipped(std::nullopt, std::nullopt), k_signed);
  EXPECT_EQ(k_signed.maximum(k_unit), Interval::of(0, 3));
  EXPECT_EQ(k_signed.minimum(k_unit), Interval::of(-2, 1));
}

TEST(Interval, RaisesToPowers)
{
  EXPECT_EQ(k_signed.power(2), Interval::of(0, 9));
  EXPECT_EQ(k_signed.power(3), Interval::of(-8, 27));
  EXPECT_EQ(k_signed.power(4), Interval::of(0, 81));
  EXPECT_EQ(Interval::of(4, 9).power(0.5), Interval::of(2, 3));
  EXPECT_EQ(Interval::of(2, 4).power(-1), Interval::of(0.25, 0.5));
  EXPECT_EQ(k_signed.power(-1), Interval::reals());
  EXPECT_EQ(Interval::top().power(0), Interval::point(1));
}

TEST(Interval, TakesLogarithmsAndRoots)
{
  EXPECT_EQ(k_unit.log(), Interval::of(-k_inf, 0));
  EXPECT_EQ(Interval::of(-k_inf, 0).exp(), k_unit);
  EXPECT_EQ(Interval::of(-4, 9).sqrt(), Interval::of(0, 3));
  EXPECT_EQ(Interval::reals().exp(), Interval::of(0, k_inf));
}

} // namespace
} // namespace faultline::program
