#include "base/bounded_json.hpp"

#include <gtest/gtest.h>

namespace faultline {

static std::string problem_of(std::string_view text, JsonLimits limits)
{
  const Result<Json> json = parse_bounded_json(text, limits);
  return json ? "" : json.error().message;
}

TEST(BoundedJson, ReadsWhatIsWithinTheLimits)
{
  const Result<Json> json = parse_bounded_json(R"({"a": [1, 2]})", {.depth = 2, .values = 4});
  ASSERT_TRUE(json) << json.error().line();
  EXPECT_EQ((*json)["a"][1], 2);
}

TEST(BoundedJson, RefusesWhatIsNot)
{
  EXPECT_EQ(problem_of("[[[1]]]", {.depth = 2, .values = 9}), "JSON nested more than 2 deep");
  EXPECT_EQ(problem_of("[1, 2, 3]", {.depth = 2, .values = 3}), "JSON of more than 3 values");
  EXPECT_EQ(problem_of("[1, ", {}), "not JSON from byte 5 on");
  EXPECT_NE(problem_of("", {}), "");
}

TEST(BoundedJson, AMegabyteOfBracketsIsRefusedEarly)
{
  EXPECT_EQ(problem_of(std::string(1 << 20, '['), {}), "JSON nested more than 100 deep");
}

} // namespace faultline
