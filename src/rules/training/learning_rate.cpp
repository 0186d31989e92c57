#include "rules/training/learning_rate.hpp"

namespace faultline::rules {

std::optional<LearningRate> learning_rate_of(const Call& call)
{
  if (call.api == nullptr || call.api->role != program::Role::optimizer || call.layer != nullptr) {
    return std::nullopt;
  }
  for (const std::string_view name : {"learning_rate", "lr"}) {
    const program::Argument* argument = call.given(name);
    if (argument == nullptr) {
      argument = call.keyword(name);
    }
    if (argument == nullptr) {
      continue;
    }
    const auto* constant = program::as<program::Constant>(argument->value);
    if (constant == nullptr) {
      return std::nullopt;
    }
    if (const double* real = std::get_if<double>(&constant->value)) {
      return LearningRate{argument, *real};
    }
    if (const int64_t* whole = std::get_if<int64_t>(&constant->value)) {
      return LearningRate{argument, static_cast<double>(*whole)};
    }
    return std::nullopt;
  }
  return std::nullopt;
}

} // namespace faultline::rules
