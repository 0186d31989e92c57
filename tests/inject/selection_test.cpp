#include "inject/selection.hpp"

#include <gtest/gtest.h>

namespace faultline::inject {

TEST(Selection, TakesCodesPrefixesNamesAcronymsAndLevels)
{
  const auto count = [](const char* word) { return select_operators({word})->size(); };
  EXPECT_EQ(count("MU003"), 1U);
  EXPECT_EQ(count("mu00"), 8U);
  EXPECT_EQ(count("source"), 8U);
  EXPECT_EQ(count("comor"), 1U);
  EXPECT_EQ(count("negate-boolean-value"), 1U);
  EXPECT_EQ(count("all"), all_operators().size());
  EXPECT_EQ(select_operators({"NVR", "MU008", "ArOR"})->size(), 2U);
  EXPECT_TRUE(select_operators({})->empty());
}

TEST(Selection, NamesTheNearestOfAnUnknownWord)
{
  const auto error = [](const char* word) { return select_operators({word}).error().line(); };
  EXPECT_EQ(error("MU0003"), "unknown operator `MU0003`, did you mean `MU003`?");
  EXPECT_EQ(error("sources"), "unknown operator `sources`, did you mean `source`?");
  EXPECT_EQ(error("nonsense-word"), "unknown operator `nonsense-word`; see `faultline operators`");
}

TEST(Selection, EveryOperatorIsFoundByEachOfItsNames)
{
  for (const Operator* op : all_operators()) {
    EXPECT_EQ(find_operator(op->code), op);
    EXPECT_EQ(find_operator(op->name), op);
    EXPECT_FALSE(op->summary.ends_with('.')) << op->code;
    EXPECT_EQ(op->find == nullptr, op->level == Level::weights) << op->code;
    EXPECT_EQ(op->setting.name.empty(), op->setting.values.empty()) << op->code;
  }
}

} // namespace faultline::inject
