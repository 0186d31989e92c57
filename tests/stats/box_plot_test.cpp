#include "stats/box_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace faultline::stats {

using Sample = std::vector<double>;

TEST(BoxPlot, QuantilesAgreeWithPublishedValues)
{
  // R's summary(c(9, 2, 7, 4)) prints 1st Qu. 3.5, Median 5.5, 3rd Qu. 7.5.
  const Sample sample = {9, 2, 7, 4};
  EXPECT_DOUBLE_EQ(quantile(sample, 0.25), 3.5);
  EXPECT_DOUBLE_EQ(quantile(sample, 0.5), 5.5);
  EXPECT_DOUBLE_EQ(quantile(sample, 0.75), 7.5);
  EXPECT_EQ(quantile(sample, 0), 2);
  EXPECT_EQ(quantile(sample, 1), 9);
}

TEST(BoxPlot, FindsOutliersOnBothSides)
{
  // Quartiles 3 and 7, so the fences are at -3 and 13, which still belong inside.
  const BoxPlot box = box_plot(Sample{5, -3, 3, 3, 4, -9, 5, 6, 7, 7, 13, 13.5, 20});
  EXPECT_EQ(box.minimum, -9);
  EXPECT_EQ(box.lower_quartile, 3);
  EXPECT_EQ(box.median, 5);
  EXPECT_EQ(box.upper_quartile, 7);
  EXPECT_EQ(box.maximum, 20);
  EXPECT_EQ(box.lower_whisker, -3);
  EXPECT_EQ(box.upper_whisker, 13);
  EXPECT_EQ(box.below, Sample{-9});
  EXPECT_EQ(box.above, (Sample{13.5, 20}));
}

TEST(BoxPlot, EqualValuesMakeABoxOfNoHeight)
{
  for (const Sample& sample : {Sample{0.1}, Sample{0.1, 0.1, 0.1}}) {
    const BoxPlot box = box_plot(sample);
    EXPECT_EQ(box.minimum, 0.1);
    EXPECT_EQ(box.lower_quartile, 0.1);
    EXPECT_EQ(box.upper_whisker, 0.1);
    EXPECT_TRUE(box.below.empty() && box.above.empty());
  }
}

TEST(BoxPlot, AnythingElseThanABoxOfNoHeightIsAnOutlier)
{
  const BoxPlot box = box_plot(Sample{1, 1, 1, 1, 1, 1, 2});
  EXPECT_EQ(box.above, Sample{2});
  EXPECT_EQ(box.upper_whisker, 1);
}

TEST(BoxPlotDeathTest, RefusesNothingAndWhatIsNotFinite)
{
  EXPECT_DEATH(box_plot(Sample{}), "undefined");
  EXPECT_DEATH(box_plot(Sample{1, std::nan("")}), "finite");
  EXPECT_DEATH(quantile(Sample{1, INFINITY}, 0.5), "finite");
  EXPECT_DEATH(quantile(Sample{1}, 1.5), "share");
}

} // namespace faultline::stats
