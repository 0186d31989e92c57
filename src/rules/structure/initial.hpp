#pragma once

// How weights and biases begin.

#include "rules/structure/layers.hpp"

namespace faultline::rules {

struct Initial {
  Span span;                      // where it is written
  std::optional<double> constant; // all begin with this value
  bool is_random = false;
  std::optional<double> spread; // of random values: the standard deviation, or half the range
};

// An initializer, given as word, class or object.
std::optional<Initial> initial_of(Ref initializer, Span span);
// A tensor of first values.
std::optional<Initial> initial_of(const Tensor* values);

enum class Part { weights, bias };

// Every known beginning of a part of some layer.
struct Beginning {
  const Call* layer = nullptr;
  Initial initial;
};
std::vector<Beginning> beginnings(const Program& program, Part part);

} // namespace faultline::rules
