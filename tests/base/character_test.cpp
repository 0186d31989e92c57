#include "base/character.hpp"

#include <gtest/gtest.h>

namespace faultline {

namespace {

void check(std::string_view text, char32_t code, size_t bytes, size_t width)
{
  const Character character = first_character(text);
  EXPECT_EQ(character.code, code) << text;
  EXPECT_EQ(character.bytes.size(), bytes) << text;
  EXPECT_EQ(character.width(), width) << text;
}

} // namespace

TEST(Character, KnowsHowManyBytesAndColumnsItTakes)
{
  check("a", U'a', 1, 1);
  check("éa", U'é', 2, 1);
  check("…", U'…', 3, 1);
  check("数字", U'数', 3, 2);
  check("한", U'한', 3, 2);
  check("🙂", U'🙂', 4, 2);
  check("\t", U'\t', 1, 0);
  check("\xCC\x81", 0x301, 2, 0);
}

TEST(Character, AByteThatBeginsNoneIsOneOfItsOwn)
{
  check("\xFF", 0xFFFD, 1, 1);
  check("\xC3", 0xFFFD, 1, 1);
  check("\xC3(", 0xFFFD, 1, 1);
  check("\xED\xA0\x80", 0xFFFD, 1, 1);
  check("\xE0\x80\x80", 0xFFFD, 1, 1);
  check("\xF4\x90\x80\x80", 0xFFFD, 1, 1);
}

} // namespace faultline
