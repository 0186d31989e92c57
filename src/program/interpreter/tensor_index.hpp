#pragma once

// The shape and the values of tensor[index].

#include "program/machine/machine.hpp"

namespace faultline::program {

Ref index_tensor(Machine& m, Tensor& tensor, Ref index, Call& call);

} // namespace faultline::program
