#pragma once

// Which operators of LibTorch mean something to the probe, and the callback that sees them all.

#include "sites.hpp"

#include <ATen/record_function.h>

#include <string>

namespace faultline_watch {

enum class Use { other, layer, activation, loss, normalisation, dropout };

struct Operator {
  Use use = Use::other;
  std::string name; // "cross_entropy", "relu"
  size_t input = 0; // which argument is the data
  int special = -1; // which argument is the reduction of a loss, or the mode
};

// Whether it changes its first argument: "aten::add_".
bool changes_first(const char* name);
// Whether it does so without a look at what was there: "aten::copy_".
bool fills_first(const char* name);

// Of "aten::relu_"; one that means nothing has the use `other`.
const Operator& operator_of(const char* name);

struct Layer;

// One call by the program itself, from its begin to its end.
struct Operation : at::ObserverContext {
  const Operator* kind = nullptr;
  Layer* layer = nullptr;        // whose parameter it got
  bool training = false;         // with gradients, in a step that is looked at closely
  at::Tensor prediction, target; // of a loss in an evaluation
  const void* given = nullptr;   // memory that was handed over, among its arguments
};

void watch_operators();

} // namespace faultline_watch
