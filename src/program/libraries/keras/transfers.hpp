#pragma once

// Transfer functions of Keras layers that the functions of tf.layers and tf.contrib.layers share.

#include "program/machine/machine.hpp"

namespace faultline::program::keras {

Ref convolve(Machine& machine, Call& call);
Ref convolve_depthwise(Machine& machine, Call& call);
Ref convolve_transposed(Machine& machine, Call& call);
Ref pool(Machine& machine, Call& call);
Ref dense(Machine& machine, Call& call);
Ref flatten(Machine& machine, Call& call);
Ref normalise(Machine& machine, Call& call);
Ref drop(Machine& machine, Call& call);
Ref loss(Machine& machine, Call& call); // y_true, y_pred

} // namespace faultline::program::keras
