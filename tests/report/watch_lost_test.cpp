#include "report/watch_fixture.hpp"
#include "report/watch_lost.hpp"

#include <gtest/gtest.h>

namespace faultline::report {

namespace {

std::string printed(const std::vector<LostStretch>& stretches)
{
  std::string text;
  for (const LostStretch& stretch : stretches) {
    text += print_stretch(stretch) + "\n";
  }
  return text;
}

} // namespace

TEST(WatchLost, ALossThatWasNotSeenIsNotLost)
{
  trace::Trace trace;
  add_step(trace, 0, NAN);
  add_step(trace, 1, 2);
  add_step(trace, 2, NAN);
  EXPECT_EQ(printed(lost_losses(trace)), "");
  EXPECT_FALSE(is_loss_lost(trace, trace.steps().back()));
  add_layer(trace, 0, "fc");
  add_numbers(trace, 2, 0, 1);
  EXPECT_TRUE(is_loss_lost(trace, trace.steps().back()));
}

TEST(WatchLost, AnInfiniteLossIsAlwaysLost)
{
  trace::Trace trace;
  add_step(trace, 0, 1);
  add_step(trace, 1, INFINITY);
  EXPECT_TRUE(is_loss_lost(trace, trace.steps().back()));
  EXPECT_EQ(printed(lost_losses(trace)), "not finite from step 1 on\n");
}

TEST(WatchLost, PutsStepsInARowTogether)
{
  trace::Trace trace;
  uint32_t step = 0;
  for (const double loss : std::vector<double>{1, -INFINITY, 1, INFINITY, NAN, 2, NAN}) {
    add_step(trace, step++, loss);
  }
  EXPECT_EQ(printed(lost_losses(trace)),
            "not finite at step 1\nnot finite at steps 3 to 4\nnot finite from step 6 on\n");
}

TEST(WatchLost, ALayerIsLostWithAnyOfItsNumbers)
{
  trace::Trace trace = lost_trace();
  EXPECT_EQ(printed(lost_checks(trace, 1)), "not finite from step 2 on\n");
  trace::TensorStats bias;
  bias.step = 20;
  bias.layer = 1;
  bias.role = trace::Role::gradient;
  bias.slot = 1;
  trace.add(bias);
  EXPECT_EQ(printed(lost_checks(trace, 1)), "not finite at steps 2 to 19\n");
  bias.step = 21;
  bias.inf = 1;
  trace.add(bias);
  EXPECT_EQ(printed(lost_checks(trace, 1)),
            "not finite at steps 2 to 19\nnot finite from step 21 on\n");
}

} // namespace faultline::report
