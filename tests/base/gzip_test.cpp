#include "base/gzip.hpp"

#include <gtest/gtest.h>

namespace faultline {

TEST(Gzip, GivesBackWhatWasPacked)
{
  const std::string text(100'000, 'x');
  for (const std::string& bytes : {std::string(), std::string("a\0b", 3), text}) {
    const Result<std::string> back = gunzip(gzip(bytes), 1 << 20);
    ASSERT_TRUE(back) << back.error().line();
    EXPECT_EQ(*back, bytes);
  }
  EXPECT_LT(gzip(text).size(), 1000U);
}

TEST(Gzip, TheSameBytesGiveTheSameResult)
{
  EXPECT_EQ(gzip("faultline"), gzip("faultline"));
}

TEST(Gzip, RefusesWhatUnpacksToTooMuch)
{
  const Result<std::string> bomb = gunzip(gzip(std::string(10'000'000, '\0')), 1000);
  ASSERT_FALSE(bomb);
  EXPECT_EQ(bomb.error().message, "unpacks to more than 1000 bytes");
}

TEST(Gzip, RefusesWhatIsBroken)
{
  const std::string packed = gzip("some text that is long enough");
  EXPECT_FALSE(gunzip("no gzip at all", 1000));
  EXPECT_FALSE(gunzip(packed.substr(0, packed.size() - 6), 1000));
  EXPECT_FALSE(gunzip("", 1000));
}

} // namespace faultline
