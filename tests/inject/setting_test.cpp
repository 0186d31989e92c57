#include "inject/patterns.hpp"
#include "inject/setting.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace faultline::inject {

static std::string refusal(std::string_view op, std::string_view value)
{
  const Result<void> checked = check_setting(*find_operator(op), value);
  return checked ? "" : checked.error().message;
}

TEST(Setting, EveryOperatorTakesItsOwnValuesAndNoNonsense)
{
  for (const Operator* op : all_operators()) {
    for (const std::string_view value : op->setting.values) {
      EXPECT_TRUE(check_setting(*op, value)) << op->code << " " << value;
    }
    for (const std::string_view value : {"", "nonsense", "-1", "nan", "inf", "0.5x"}) {
      EXPECT_FALSE(check_setting(*op, value)) << op->code << " " << value;
    }
    // Numbers have a range, words have none.
    EXPECT_EQ(op->setting.range.has_value(),
              !op->setting.values.empty() &&
                  std::ranges::all_of(op->setting.values,
                                      [](auto value) { return number_of(value).has_value(); }))
        << op->code;
  }
}

TEST(Setting, SaysWhatItMayBe)
{
  EXPECT_EQ(refusal("RCD", "7"),
            "the rate of MU216 change-dropout-rate is a number of at least 0 and at most 1, "
            "not `7`");
  EXPECT_EQ(refusal("TCL", "0"),
            "the share of MU201 change-labels is a number above 0 and at most 1, not `0`");
  EXPECT_EQ(refusal("HBS", "2.5"),
            "the batch-size of MU206 change-batch-size is a whole number of at least 1, not `2.5`");
  EXPECT_EQ(refusal("RAW", "l3"),
            "the norm of MU213 add-weight-regularisation is one of l2, l1, l1_l2, not `l3`");
  EXPECT_EQ(refusal("NVR", "3"), "MU008 increment-numeric-value has no setting");
  EXPECT_EQ(refusal("HBS", "48"), "");
}

} // namespace faultline::inject
