// Two hundred seeded random samples, some with ties, by SciPy and by us. SciPy runs once, in one
// process (tests/stats/scipy_reference.py); where it is not installed the tests of single files
// still compare with published values.

#include "base/json.hpp"
#include "stats/agreement.hpp"
#include "stats/anova.hpp"
#include "stats/box_plot.hpp"
#include "stats/intervals.hpp"
#include "stats/multiple_tests.hpp"
#include "stats/two_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace faultline::stats {

namespace {

using Sample = std::vector<double>;

std::string output_of(const std::string& command)
{
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[4096];
  while (pipe != nullptr) {
    const size_t count = fread(buffer, 1, sizeof buffer, pipe);
    if (count == 0) {
      break;
    }
    output.append(buffer, count);
  }
  return pipe != nullptr && pclose(pipe) == 0 ? output : "";
}

void near(double actual, const Json& expected, const std::string& what)
{
  const double value = expected.get<double>();
  EXPECT_NEAR(actual, value, 1e-9 * std::max(1.0, std::abs(value))) << what;
}

void near(const TestResult& actual, const Json& expected, const std::string& what)
{
  near(actual.statistic, expected[0], what + ", statistic");
  near(actual.p, expected[1], what + ", p");
}

void check_case(const Json& reference)
{
  const auto a = reference["a"].get<Sample>();
  const auto b = reference["b"].get<Sample>();
  const auto c = reference["c"].get<Sample>();
  near(student_t_test(a, b), reference["student"], "student");
  near(welch_t_test(a, b), reference["welch"], "welch");
  near(mann_whitney(a, b), reference["mann_whitney"], "mann_whitney");
  const AnovaResult anova = one_way_anova(std::vector<Sample>{a, b, c});
  near(TestResult{anova.f, anova.p}, reference["anova"], "anova");

  const Json& of_wilson = reference["wilson"];
  const Interval interval =
      wilson(of_wilson[0].get<size_t>(), of_wilson[1].get<size_t>(), of_wilson[2]);
  near(interval.low, of_wilson[3], "wilson, low");
  near(interval.high, of_wilson[4], "wilson, high");

  const Json& kappa = reference["kappa"];
  near(cohens_kappa(kappa[0].get<std::vector<int>>(), kappa[1].get<std::vector<int>>()),
       kappa[2],
       "kappa");

  const Sample adjusted = benjamini_hochberg(reference["p"][0].get<Sample>());
  for (size_t i = 0; i < adjusted.size(); ++i) {
    near(adjusted[i], reference["p"][1][i], "adjusted");
  }
  const Sample by_holm = holm(reference["p"][0].get<Sample>());
  for (size_t i = 0; i < by_holm.size(); ++i) {
    near(by_holm[i], reference["p"][2][i], "adjusted by Holm");
  }

  const BoxPlot box = box_plot(a);
  near(box.lower_quartile, reference["box"][0], "lower quartile");
  near(box.median, reference["box"][1], "median");
  near(box.upper_quartile, reference["box"][2], "upper quartile");
  EXPECT_EQ(box.below.size(), reference["box"][3].get<size_t>());
  EXPECT_EQ(box.above.size(), reference["box"][4].get<size_t>());
}

} // namespace

TEST(SciPy, AgreesOnRandomSamples)
{
  // Debian's interpreter, the one that Debian's SciPy belongs to.
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import scipy.stats' 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "SciPy is not installed (Debian: python3-scipy)";
  }
  const std::string text =
      output_of(python + " '" FL_SOURCE_DIR "/tests/stats/scipy_reference.py'");
  ASSERT_FALSE(text.empty());
  const Json reference = parse_json(text);
  ASSERT_EQ(reference["cases"].size(), 200U);
  for (const Json& one : reference["cases"]) {
    check_case(one);
  }
  // Both are random: within 5 % of the interval's width.
  for (const Json& one : reference["bootstrap"]) {
    const Interval interval = bootstrap(
        one["sample"].get<Sample>(), mean, {.level = 0.95, .resamples = 20000, .seed = 3});
    const double low = one["interval"][0];
    const double high = one["interval"][1];
    EXPECT_NEAR(interval.low, low, 0.05 * (high - low));
    EXPECT_NEAR(interval.high, high, 0.05 * (high - low));
  }
}

} // namespace faultline::stats
