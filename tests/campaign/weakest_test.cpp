#include "campaign/weakest.hpp"
#include "inject/operator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::campaign {

static const std::vector<double> k_clean = {.90, .91, .92, .93, .94};

TEST(Weakest, NoticesWhatIsWorseBeyondChance)
{
  const Trial worse = compare("0.5", {.70, .71, .72, .73, .74}, 0, k_clean, true);
  EXPECT_LT(worse.p, .05);
  EXPECT_GT(worse.effect, .5);
  EXPECT_TRUE(worse.noticed);
  // Where less is better, the same numbers are an improvement.
  EXPECT_FALSE(compare("0.5", {.70, .71, .72, .73, .74}, 0, k_clean, false).noticed);
}

TEST(Weakest, DoesNotNoticeWhatIsAsGoodOrBetter)
{
  EXPECT_FALSE(compare("0.1", k_clean, 0, k_clean, true).noticed);
  EXPECT_FALSE(compare("0.1", {.97, .98, .98, .99, .99}, 0, k_clean, true).noticed);
  // A small difference within the spread.
  EXPECT_FALSE(compare("0.1", {.89, .91, .92, .93, .94}, 0, k_clean, true).noticed);
}

TEST(Weakest, NoticesThatHalfOfTheRunsFail)
{
  EXPECT_TRUE(compare("1", {.92, .92}, 2, k_clean, true).noticed);
  EXPECT_FALSE(compare("1", {.91, .92, .93, .94}, 1, k_clean, true).noticed);
  EXPECT_TRUE(compare("1", {}, 4, k_clean, true).noticed);
  EXPECT_FALSE(compare("1", {}, 0, k_clean, true).noticed);
}

TEST(Weakest, RefusesAnOperatorWithoutSettings)
{
  const run::Environment environment = run::discover_environment(FL_SOURCE_DIR, {});
  const Result<Spec> spec =
      load_spec(std::filesystem::path(FL_TEST_DATA) / "campaign" / "toy" / "campaign.toml");
  ASSERT_TRUE(spec) << spec.error().line();
  WeakestOptions options;
  options.op = inject::find_operator("MU001");
  const auto found = find_weakest(*spec, environment, options);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().line(), testing::HasSubstr("MU001 has no setting to search"));
}

} // namespace faultline::campaign
