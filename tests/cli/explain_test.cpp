#include "inject/operator.hpp"
#include "rules/rule.hpp"
#include "trace/symptom.hpp"

#include <gtest/gtest.h>

#include <map>

namespace faultline::cli {

TEST(Explain, HasOneAnswerForEachName)
{
  std::map<std::string_view, std::string_view> codes;
  const auto add = [&codes](std::string_view name, std::string_view code) {
    const auto [known, is_new] = codes.emplace(name, code);
    EXPECT_TRUE(is_new) << "`explain " << name << "` could mean " << known->second << " or "
                        << code;
  };
  for (const rules::Rule* rule : rules::all_rules()) {
    add(rule->name, rule->code);
  }
  for (const trace::Symptom* symptom : trace::all_symptoms()) {
    add(symptom->name, symptom->code);
  }
  for (const inject::Operator* op : inject::all_operators()) {
    add(op->name, op->code);
  }
}

} // namespace faultline::cli
