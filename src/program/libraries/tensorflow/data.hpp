#pragma once

#include "program/machine/machine.hpp"

#include <functional>

namespace faultline::program::tf {

// A tf.data.Dataset that `call` makes, with elements like `element` and `count` of them.
Instance* dataset(Machine& machine, Call& call, Ref element, Dim count);

// The same structure of tuples, lists and dicts with every tensor changed.
Ref map_tensors(Machine& machine, Ref value, const std::function<Ref(Tensor&)>& change);

} // namespace faultline::program::tf
