#pragma once

#include "program/machine/machine.hpp"

namespace faultline::program::keras {

Ref compile(Machine& machine, Call& call);
Ref fit(Machine& machine, Call& call); // fit, fit_generator, train_on_batch
Ref evaluate(Machine& machine, Call& call);
Ref predict(Machine& machine, Call& call);
Ref predict_classes(Machine& machine, Call& call);
// A loss use for each model that was compiled and never fitted.
void note_unfitted(Machine& machine, Instance& model);

} // namespace faultline::program::keras
