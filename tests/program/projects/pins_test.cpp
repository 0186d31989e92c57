#include "program/projects/pins.hpp"

#include <gtest/gtest.h>

namespace faultline::program {

TEST(Pins, ReadsRequirementsOfPipAndConda)
{
  const auto pins = parse_requirements("# what we need\n"
                                       "tensorflow-gpu==1.12.0\n"
                                       "torch >= 1.7  # or later\n"
                                       "scikit-learn~=0.24\n"
                                       "numpy\n"
                                       "-r other.txt\n"
                                       "  - keras=2.3.1=py37\n"
                                       "tensorflow-datasets==4.0\n");
  ASSERT_EQ(pins.size(), 5U);
  EXPECT_EQ(pins.at("tensorflow").text(), "1.12");
  EXPECT_EQ(pins.at("torch").text(), "1.7");
  EXPECT_EQ(pins.at("sklearn").text(), "0.24");
  EXPECT_EQ(pins.at("keras").text(), "2.3.1");
}

TEST(Pins, ComparesVersionsByTheirNumbers)
{
  EXPECT_LT(*Version::parse("1.9"), *Version::parse("1.13.1+cpu"));
  EXPECT_EQ(*Version::parse("2.0"), *Version::parse("2.0.0rc1"));
  EXPECT_FALSE(Version::parse("latest"));
}

} // namespace faultline::program
