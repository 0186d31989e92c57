#pragma once

#include "program/record/call.hpp"

#include <cstdint>
#include <optional>

namespace faultline::check {

struct ParameterCount {
  int64_t trainable = 0;
  int64_t fixed = 0; // weights that training does not touch, such as a moving mean

  int64_t all() const { return trainable + fixed; }
  ParameterCount& operator+=(const ParameterCount& other)
  {
    trainable += other.trainable;
    fixed += other.fixed;
    return *this;
  }
};

// The weights of a layer, from its settings and the shape of its input. `call` is its application,
// or its construction if it was never applied. Nothing if a size is not known.
std::optional<ParameterCount> count_parameters(const program::Call& call);

} // namespace faultline::check
