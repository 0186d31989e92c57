#include "campaign/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace faultline::campaign {

static Spec with(const std::string& pattern)
{
  Spec spec;
  spec.metrics.push_back({"accuracy", pattern, "", "", {}, {}, true});
  return spec;
}

static std::optional<double> read_pattern(const std::string& log)
{
  const auto values = read_metrics(with("accuracy ([-+.\\w]+)"), log, {});
  const auto found = values.find("accuracy");
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

TEST(Metrics, TheLastMatchCounts)
{
  EXPECT_EQ(read_pattern("accuracy 0.1\naccuracy 0.5 accuracy 0.75\nbye\n"), 0.75);
  EXPECT_EQ(read_pattern("accuracy 1e-3"), 0.001);
  EXPECT_EQ(read_pattern("accuracy\n0.5\n"), std::nullopt);
  EXPECT_EQ(read_pattern(""), std::nullopt);
  EXPECT_EQ(read_pattern("accuracy None\n"), std::nullopt);
}

TEST(Metrics, NaNAndInfinitiesAreValues)
{
  EXPECT_TRUE(std::isnan(read_pattern("accuracy nan").value()));
  EXPECT_EQ(read_pattern("accuracy inf"), INFINITY);
  EXPECT_EQ(read_pattern("accuracy -inf"), -INFINITY);
}

TEST(Metrics, AreReadFromTheJsonThatPythonWrites)
{
  Spec spec;
  spec.metrics.push_back({"loss", "", "m.json", "test.loss", {}, {}, false});
  const auto read = [&](const std::string& text) {
    return read_metrics(spec, "", {{"m.json", text}});
  };
  EXPECT_EQ(read(R"({"test": {"loss": 2}})").at("loss"), 2);
  EXPECT_EQ(read(R"({"test.loss": 3.5})").at("loss"), 3.5);
  EXPECT_TRUE(std::isnan(read(R"({"NaN \" NaN": 1, "test": {"loss": NaN}})").at("loss")));
  EXPECT_EQ(read(R"({"test": {"loss": -Infinity}})").at("loss"), -INFINITY);
  EXPECT_TRUE(read(R"({"test": {"loss": null}})").empty());
  EXPECT_TRUE(read(R"({"test": [)").empty());
  EXPECT_TRUE(read_metrics(spec, "", {}).empty());
}

TEST(Metrics, AHostileLineNeitherBlowsTheStackNorTakesForever)
{
  const std::string line(1 << 20, 'a');
  const Result<Pattern> nested = Pattern::compile("((a+)+)b");
  ASSERT_TRUE(nested);
  EXPECT_EQ(last_match(*nested, line), std::nullopt);
  const Result<Pattern> groups = Pattern::compile("^(?:(a)|b)*$");
  ASSERT_TRUE(groups);
  last_match(*groups, line); // found or given up: both will do
  EXPECT_EQ(read_pattern(line + " accuracy 0.5 " + line), 0.5);
}

TEST(Metrics, ABrokenPatternIsSaid)
{
  const Result<Pattern> broken = Pattern::compile("accuracy (");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().message, "missing closing parenthesis at character 11");
}

} // namespace faultline::campaign
