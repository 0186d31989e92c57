#pragma once

#include "rules/rule.hpp"

#include <optional>

namespace faultline::rules {

// The rate that an optimizer is made with.
struct LearningRate {
  const program::Argument* argument = nullptr; // where it is written
  double value = 0;
};

// Nothing if `call` makes no optimizer or its rate is a default or not known.
std::optional<LearningRate> learning_rate_of(const Call& call);

} // namespace faultline::rules
