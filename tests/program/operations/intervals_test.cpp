#include "program/operations/intervals.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace faultline::program {
namespace {

constexpr double k_inf = Interval::k_inf;

TEST(Intervals, FollowActivations)
{
  struct Case {
    std::string_view op;
    Interval in;
    std::string_view out;
  };
  const Interval reals = Interval::reals();
  const Interval unknown = Interval::top();
  const Case cases[] = {
      {"relu", reals, "[0, inf]"},
      {"relu", unknown, "[0, inf]"},
      {"relu6", reals, "[0, 6]"},
      {"leaky_relu", Interval::of(-100, 5), "[-1, 5]"},
      {"sigmoid", reals, "[0, 1]"},
      {"sigmoid", unknown, "[0, 1]"},
      {"sigmoid", Interval::of(0, 255), "[0.5, 1]"},
      {"tanh", reals, "[-1, 1]"},
      {"softplus", reals, "[0, inf]"},
      {"elu", reals, "[-1, inf]"},
      {"gelu", reals, "[-0.17, inf]"},
      {"swish", reals, "[-0.279, inf]"},
      {"log_sigmoid", reals, "[-inf, 0]"},
      {"softsign", reals, "[-1, 1]"},
      {"exp", reals, "[0, inf]"},
      {"exp", unknown, "unknown"},
      {"log", Interval::of(0, 1), "[-inf, 0]"},
      {"log1p", Interval::of(0, 0), "[0, 0]"},
      {"reciprocal", Interval::of(0, 1), "[-inf, inf]"},
      {"rsqrt", Interval::of(4, 16), "[0.25, 0.5]"},
      {"reshape", Interval::of(0, 255), "[0, 255]"},
      {"no such thing", Interval::of(0, 255), "unknown"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(interval_after(c.op, c.in).text(), c.out) << c.op << " of " << c.in;
  }
}

TEST(Intervals, FollowBinaryOperations)
{
  const Interval unit = Interval::of(0, 1);
  EXPECT_EQ(interval_after("add", unit, Interval::point(1)).text(), "[1, 2]");
  EXPECT_EQ(interval_after("div", unit, Interval::point(255)).high(), 1.0 / 255);
  EXPECT_EQ(interval_after("div", unit, unit), Interval::reals());
  EXPECT_EQ(interval_after("pow", Interval::of(-2, 1), Interval::point(2)).text(), "[0, 4]");
  EXPECT_EQ(interval_after("pow", Interval::point(2), unit).text(), "[1, 2]");
  EXPECT_EQ(interval_after("mod", Interval::top(), Interval::point(10)).text(), "[0, 10]");
  EXPECT_EQ(interval_after("maximum", Interval::reals(), Interval::point(1e-7)).low(), 1e-7);
  EXPECT_EQ(interval_after("where", unit, Interval::point(5)).text(), "[0, 5]");
}

TEST(Intervals, FollowReductions)
{
  const Interval unit = Interval::of(0, 1);
  const Dim ten = Dim::constant(10);
  EXPECT_EQ(interval_reduced("reduce_sum", unit, ten).text(), "[0, 10]");
  EXPECT_EQ(interval_reduced("reduce_sum", unit, Dim::top()).text(), "[0, 1e+06]");
  EXPECT_EQ(interval_reduced("reduce_mean", unit, Dim::top()).text(), "[0, 1]");
  EXPECT_EQ(interval_reduced("reduce_var", Interval::of(0, 2), ten).text(), "[0, 1]");
  EXPECT_EQ(interval_reduced("norm", Interval::of(-3, 2), Dim::constant(4)).text(), "[0, 6]");
  EXPECT_EQ(interval_reduced("argmax", Interval::top(), ten).text(), "[0, 9]");
  EXPECT_EQ(interval_reduced("reduce_sum", Interval::top(), ten), Interval::top());
}

TEST(Intervals, BoundSoftmax)
{
  EXPECT_EQ(softmax_interval(Interval::top(), Dim::top()), Interval::of(0, 1));
  EXPECT_EQ(softmax_interval(Interval::reals(), Dim::constant(10)), Interval::of(0, 1));
  EXPECT_EQ(softmax_interval(Interval::point(3), Dim::constant(4)), Interval::point(0.25));
  EXPECT_GT(softmax_interval(Interval::of(-5, 5), Dim::constant(10)).low(), 0);
  EXPECT_EQ(softmax_interval(Interval::of(-500, 500), Dim::constant(10)).low(), 0);
  EXPECT_EQ(log_softmax_interval(Interval::reals(), Dim::constant(10)), Interval::of(-k_inf, 0));
}

TEST(Intervals, SumProducts)
{
  const Interval unit = Interval::of(0, 1);
  EXPECT_EQ(product_interval(unit, Interval::of(-2, 3), Dim::constant(10)).text(), "[-20, 30]");
  EXPECT_EQ(product_interval(unit, Interval::top(), Dim::constant(10)), Interval::top());
}

} // namespace
} // namespace faultline::program
