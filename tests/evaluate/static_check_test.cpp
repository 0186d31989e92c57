#include "catalog/catalog.hpp"
#include "evaluate/static_check.hpp"
#include "rules/selection.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

class StaticCheckTest : public testing::Test {
protected:
  static StaticCheck check(const std::string& id)
  {
    static const Result<catalog::Catalog> k_catalog = catalog::load_catalog(FL_SOURCE_DIR);
    EXPECT_TRUE(k_catalog);
    const auto rules = rules::select_rules({}, {});
    EXPECT_TRUE(rules);
    for (const catalog::Fault& fault : k_catalog->faults) {
      if (fault.id == id) {
        const Result<StaticCheck> result = static_check(fault, *rules);
        EXPECT_TRUE(result);
        return *result;
      }
    }
    ADD_FAILURE() << "no fault " << id;
    return {};
  }
};

TEST_F(StaticCheckTest, NamesTheRuleWhoseFindingTheFixRemoves)
{
  const StaticCheck result = check("pytorch-softmax-before-cross-entropy");
  EXPECT_TRUE(result.applies);
  EXPECT_TRUE(result.reported);
  EXPECT_EQ(result.rules, std::vector<std::string>{"DL213"});
}

TEST_F(StaticCheckTest, LeavesOtherLanguagesAlone)
{
  const StaticCheck result = check("tfjs-boolean-epochs");
  EXPECT_FALSE(result.applies);
  EXPECT_FALSE(result.reported);
}

} // namespace faultline::evaluate
