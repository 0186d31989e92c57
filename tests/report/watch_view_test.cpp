#include "base/text.hpp"
#include "report/watch_fixture.hpp"
#include "report/watch_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace faultline::report {

using testing::HasSubstr;
using testing::MatchesRegex;

namespace {

trace::Trace small_trace()
{
  trace::Trace trace;
  for (int i = 0; i < 3; ++i) {
    trace::Layer layer;
    layer.id = i;
    layer.order = i;
    layer.called = true;
    layer.name = "fc" + std::to_string(i);
    layer.kind = "Linear";
    trace.add(layer);
  }
  for (uint32_t step = 0; step < 8; ++step) {
    trace::TensorStats output;
    output.step = step;
    output.layer = 1;
    output.count = 10;
    output.zeros = 0.25;
    trace.add(output);
    trace::Step record;
    record.step = step;
    record.loss = 8.0 - step;
    trace.add(record);
  }
  return trace;
}

} // namespace

TEST(Sparkline, GoesDownAsTheValuesDo)
{
  EXPECT_EQ(sparkline(std::vector<double>{8, 7, 6, 5, 4, 3, 2, 1}, 8), "█▇▆▅▄▃▂▁");
}

TEST(Sparkline, CondensesAndMarksWhatIsNoNumber)
{
  EXPECT_EQ(sparkline(std::vector<double>{1, 1, NAN, 1, 0, 0}, 3), "█×▁");
  EXPECT_EQ(sparkline({}, 5), "");
  EXPECT_EQ(sparkline(std::vector<double>{2, 2}, 5), "▁▁");
}

TEST(WatchView, ShowsLossAndLayersWithinItsWidth)
{
  const std::vector<std::string> lines =
      watch_view(small_trace(), {}, {.width = 70, .rows = 12}, Painter(false));
  EXPECT_THAT(lines.front(), HasSubstr("step 7"));
  EXPECT_THAT(lines.front(), HasSubstr("loss 1"));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_THAT(lines[3], HasSubstr("fc1"));
  EXPECT_THAT(lines[3], HasSubstr("25 %"));
  for (const std::string& line : lines) {
    EXPECT_LE(display_width(line), 70U) << line;
  }
}

TEST(WatchView, KeepsAilingLayersWhenThereIsNoRoomForAll)
{
  trace::Detection detection;
  detection.layer = 2;
  detection.finding.rule = "TR013";
  detection.finding.severity = source::Severity::error;
  const std::vector<std::string> lines =
      watch_view(small_trace(), {detection}, {.width = 80, .rows = 4}, Painter(false));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_THAT(lines[2], HasSubstr("fc2"));
  EXPECT_THAT(lines[2], HasSubstr("TR013"));
  EXPECT_THAT(lines[3], HasSubstr("2 layers"));
}

TEST(WatchView, ShowsInRedWhatIsNotFinite)
{
  const std::vector<std::string> plain =
      watch_view(lost_trace(), {}, {.width = 80, .rows = 12}, Painter(false));
  EXPECT_THAT(plain.front(), HasSubstr("loss nan ▁█××"));
  ASSERT_EQ(plain.size(), 4U);
  for (const size_t line : {2U, 3U}) {
    EXPECT_THAT(plain[line], HasSubstr("▲"));
    EXPECT_THAT(plain[line], MatchesRegex(".*Linear +nan +– +nan +nan *"));
    EXPECT_LE(display_width(plain[line]), 80U);
  }
  const Painter paint(true);
  const std::vector<std::string> painted =
      watch_view(lost_trace(), {}, {.width = 80, .rows = 12}, paint);
  EXPECT_THAT(painted.front(), HasSubstr(paint(Colour::red, "loss nan")));
  EXPECT_THAT(painted[2], HasSubstr(paint(Colour::red, "▲")));
  EXPECT_THAT(painted[2], HasSubstr(paint(Colour::red, "nan")));
}

TEST(WatchView, ALossThatWasNotSeenIsNotRed)
{
  trace::Trace trace;
  add_step(trace, 0, NAN);
  const Painter paint(true);
  EXPECT_THAT(watch_view(trace, {}, {}, paint).front(), HasSubstr(paint(Colour::bold, "loss –")));
}

TEST(WatchView, KeepsLostLayersWhenThereIsNoRoomForAll)
{
  trace::Trace trace = small_trace();
  add_numbers(trace, 8, 2, 1);
  const std::vector<std::string> lines =
      watch_view(trace, {}, {.width = 80, .rows = 4}, Painter(false));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_THAT(lines[2], HasSubstr("fc2"));
  EXPECT_THAT(lines[2], HasSubstr("nan"));
}

TEST(WatchView, BeforeTheFirstStepItSaysSo)
{
  EXPECT_EQ(watch_view({}, {}, {}, Painter(false)),
            std::vector<std::string>{"watching: no training step yet"});
}

} // namespace faultline::report
