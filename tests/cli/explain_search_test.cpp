#include "cli/explain_search.hpp"

#include <gmock/gmock.h>

namespace faultline::cli {

using testing::ElementsAre;
using testing::IsEmpty;

static std::vector<std::string> found(std::string_view text)
{
  static const std::vector<Topic> k_topics = {
      {"rule", "DL1", "other-thing", "Finds things", "Call zero_grad first.\n"},
      {"rule", "DL2", "gradients-kept", "Finds a missing zero_grad", "A page.\n"},
      {"rule",
       "DL3",
       "third",
       "Finds a third",
       "Text.\n```python\noptimizer.zero_grad(cpu)\n```\n"},
      {"symptom", "TR1", "no-zero-grad", "Finds gradients that grow", "A page about a loss.\n"}};
  std::vector<std::string> codes;
  for (const Topic& topic : find_topics(k_topics, text)) {
    codes.emplace_back(topic.code);
  }
  return codes;
}

TEST(ExplainSearch, PutsNamesBeforeSummariesBeforePages)
{
  EXPECT_THAT(found("zero_grad"), ElementsAre("TR1", "DL2", "DL1"));
  EXPECT_THAT(found("ZERO-GRAD"), ElementsAre("TR1", "DL2", "DL1"));
}

TEST(ExplainSearch, LooksAtExamplesLast)
{
  EXPECT_THAT(found("cpu"), ElementsAre("DL3"));
  EXPECT_THAT(found("third"), ElementsAre("DL3"));
}

TEST(ExplainSearch, WantsEveryWord)
{
  EXPECT_THAT(found("zero_grad loss"), ElementsAre("TR1"));
  EXPECT_THAT(found("zero_grad cuda"), IsEmpty());
  EXPECT_THAT(found(""), IsEmpty());
}

// A page of the program is found by the name of the function that it is about.
TEST(ExplainSearch, FindsThePagesOfTheProgram)
{
  const std::vector<Topic> topics = find_topics(all_topics(), "zero_grad");
  ASSERT_GT(topics.size(), 1U);
  EXPECT_TRUE(std::ranges::any_of(topics, [](const Topic& t) { return t.code == "TR048"; }));
  EXPECT_TRUE(std::ranges::any_of(topics, [](const Topic& t) { return t.kind == "rule"; }));
}

} // namespace faultline::cli
