#include "rules/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::rules {

namespace {

using testing::Contains;
using testing::Not;

std::vector<std::string_view> codes(const std::vector<std::string>& select,
                                    const std::vector<std::string>& ignore = {})
{
  std::vector<std::string_view> found;
  const Result<std::vector<const Rule*>> rules = select_rules(select, ignore);
  EXPECT_TRUE(rules) << rules.error().line();
  for (const Rule* rule : rules ? *rules : std::vector<const Rule*>()) {
    found.push_back(rule->code);
  }
  return found;
}

std::string refusal(const std::string& word)
{
  const Result<std::vector<const Rule*>> rules = select_rules({word}, {});
  return rules ? "" : rules.error().line();
}

} // namespace

TEST(Selection, ARuleIsMeantByCodePrefixGroupOrName)
{
  for (const char* word : {"DL213",
                           "dl213",
                           "DL2",
                           "DL",
                           "loss",
                           "probabilities-into-cross-entropy",
                           "all",
                           "default"}) {
    EXPECT_THAT(codes({word}), Contains("DL213")) << word;
  }
  EXPECT_EQ(codes({"DL213"}), std::vector<std::string_view>{"DL213"});
}

TEST(Selection, IgnoredRulesAreTakenAway)
{
  EXPECT_THAT(codes({}), Contains("DL213"));
  EXPECT_THAT(codes({}, {"loss"}), Not(Contains("DL213")));
  EXPECT_THAT(codes({"DL2"}, {"DL213"}), Not(Contains("DL213")));
}

TEST(Selection, WithoutAWishThePreviewAndUncertainRulesAreOff)
{
  for (const std::string_view code : codes({})) {
    const Rule& rule = *find_rule(code);
    EXPECT_EQ(rule.status, Status::stable) << code;
    EXPECT_NE(rule.confidence, Confidence::low) << code;
  }
  EXPECT_EQ(codes({"all"}).size(), all_rules().size());
}

TEST(Selection, AnUnknownWordIsRefusedWithTheNearest)
{
  EXPECT_EQ(refusal("losss"), "unknown rule `losss`, did you mean `loss`?");
  EXPECT_EQ(refusal("probabilities-into-crossentropy"),
            "unknown rule `probabilities-into-crossentropy`, did you mean "
            "`probabilities-into-cross-entropy`?");
  EXPECT_EQ(refusal("something-else-entirely"),
            "unknown rule `something-else-entirely`; see `faultline rules`");
}

} // namespace faultline::rules
