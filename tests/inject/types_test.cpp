// What operators stand for in the taxonomy.

#include "inject/operator.hpp"

#include <gtest/gtest.h>

#include <map>

namespace faultline::inject {

static std::string type_named(std::string_view code)
{
  const Operator* op = find_operator(code);
  return op == nullptr ? "no such operator" : std::string(op->type.id());
}

// Humbatova et al. compare their taxonomy with the operators of DeepMutation (table 3).
TEST(Types, OfDeepMutationsOperatorsAreThoseOfThePublishedComparison)
{
  // Shuffled training data are no fault of the taxonomy.
  EXPECT_EQ(type_named("DF"), "");
  // Which layer is missing or redundant depends on the place.
  EXPECT_EQ(type_named("LR"), "model/layers/missing-redundant-wrong-layer");
  EXPECT_EQ(type_named("LAs"), "model/layers/missing-redundant-wrong-layer");
}

// A leaf that says "missing" does not fit an operator that adds, and one that names a function or a
// layer does not fit an operator that takes any.
TEST(Types, AreNoMoreExactThanTheOperator)
{
  const std::map<std::string, std::string> nodes = {
      {"AFRs", "model/layers/activation-function"},
      {"ARM", "model/layers/activation-function"},
      {"AAL", "model/layers/activation-function"},
      {"WAB", "model/layers/layer-properties"},
      {"RAW", "training/hyperparameters"},
      {"RCW", "training/hyperparameters"},
      {"OCG", "training/optimiser"},
  };
  for (const auto& [acronym, type] : nodes) {
    EXPECT_EQ(type_named(acronym), type) << acronym;
  }
}

// Operators of any Python know nothing of deep learning; each of the others says what it makes,
// but for those of which no fault is known.
TEST(Types, AreThereForOperatorsOfDeepLearning)
{
  for (const Operator* op : all_operators()) {
    if (op->level == Level::source) {
      EXPECT_EQ(op->type.id(), "") << op->code;
    } else if (op->level == Level::dl && op->acronym != "DF") {
      EXPECT_NE(op->type.id(), "") << op->code;
    }
  }
}

} // namespace faultline::inject
