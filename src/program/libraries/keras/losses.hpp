#pragma once

#include "program/machine/machine.hpp"

namespace faultline::program::keras {

// A loss as `compile` takes it: a string, a function, a class or an object.
struct LossChoice {
  LossKind kind = LossKind::custom;
  LossInput wants = LossInput::any;
  bool is_known = false; // one of Keras' own
};
LossChoice read_loss(Machine& machine, Ref loss);

// Labels that cannot belong to predictions of that shape: a problem at `span`, and false.
bool expect_loss_shapes(Machine& machine,
                        const Call& call,
                        Span span,
                        LossKind kind,
                        const Shape& prediction,
                        const Shape& target);

} // namespace faultline::program::keras
