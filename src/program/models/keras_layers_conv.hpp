#pragma once

#include "program/machine.hpp"

namespace faultline::program::keras {

// Transfer functions for layers and for the functions of tf.layers.
Ref convolve(Machine& machine, Call& call);
Ref convolve_depthwise(Machine& machine, Call& call);
Ref convolve_transposed(Machine& machine, Call& call);
Ref pool(Machine& machine, Call& call);
Ref dense(Machine& machine, Call& call);
Ref flatten(Machine& machine, Call& call);

} // namespace faultline::program::keras
