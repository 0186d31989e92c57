#include "base/digest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace faultline {

namespace {

std::string digest_of(const std::vector<std::string>& fields)
{
  Digest digest;
  for (const std::string& field : fields) {
    digest.add(field);
  }
  return digest.hex();
}

} // namespace

// Computed with Python's hashlib.sha256 over `<length>:<bytes>` of each field.
TEST(Digest, IsSha256OfFieldsWithTheirLengths)
{
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {{""}, "ba768b331fd86cec803be04e56ab2b3d4c0e98ef4ee4fcd4e72ad7cce61a1d1f"},
      {{"abc"}, "aab5f9ae99b2e38fb462025c8f72f570c9c811705d2a4277dc855d7fa293fe97"},
      {{"ab", "c"}, "430fb1b4ac43316eca81fab27a1930ab8eff8fef6a1dc7903dce44bbc2790dc5"},
      {{"a", "bc"}, "5310a58788781ab25d5ad7c3f85035824b4eb7bdfa394e0ac2186271472b5492"},
      {{std::string("a\0b", 3)},
       "40b0877811b5bc2c9298349618dcab0245acfd4417e45ee6c82847033b72f5ef"},
      {{"é"}, "2f23c71856587c2a6ffdb64f0e11e9940b35da318947308f6a02ee01898e6107"},
      {{std::string(1000, 'x')},
       "f6b26572a562fadb7e167a2ceac55009b3f5c639dac2066da553ef7df1a912b6"},
  };
  for (const auto& [fields, expected] : cases) {
    EXPECT_EQ(digest_of(fields), expected);
  }
}

TEST(Digest, WhereOneFieldEndsMatters)
{
  EXPECT_NE(digest_of({"ab", "c"}), digest_of({"a", "bc"}));
  EXPECT_NE(digest_of({"abc"}), digest_of({"abc", ""}));
  EXPECT_NE(digest_of({"1:a"}), digest_of({"a"}));
  EXPECT_NE(digest_of({"a1:b"}), digest_of({"a", "b"}));
}

TEST(Digest, TheOrderOfFieldsMatters)
{
  EXPECT_NE(digest_of({"a", "b"}), digest_of({"b", "a"}));
}

TEST(Digest, ANumberIsTheFieldOfItsDigits)
{
  EXPECT_EQ(Digest().add(42LL).hex(), digest_of({"42"}));
  EXPECT_EQ(Digest().add(-7LL).hex(), digest_of({"-7"}));
  EXPECT_EQ(Digest().add(42LL).hex(),
            "c93050b1b9ffe92153f7f1f648d35080f5895aaa5fb17e76278113ae978b405e");
}

} // namespace faultline
