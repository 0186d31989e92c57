#pragma once

#include "program/machine/machine.hpp"

namespace faultline::program {

// Made by a function of keras.applications.
bool is_pretrained(const Instance& model);

struct PretrainedEnds {
  Tensor* input = nullptr;
  Tensor* output = nullptr;
};
// Its own input and output tensors, made when first asked for. Both null if it is no such model.
PretrainedEnds pretrained_ends(Machine& machine, Instance& model);

} // namespace faultline::program
