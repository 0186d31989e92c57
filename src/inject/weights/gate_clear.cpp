#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator gate_clear;
const Operator gate_clear{
    .name = "clear-gate",
    .acronym = "GC",
    .summary = "Sets the weights of one gate of a recurrent layer to 0",
    .level = Level::weights,
};

} // namespace faultline::inject
