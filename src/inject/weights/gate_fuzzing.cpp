#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator gate_fuzzing;
const Operator gate_fuzzing{
    .name = "fuzz-gate",
    .acronym = "GGF",
    .summary = "Adds normal noise to the weights of one gate of a recurrent layer",
    .level = Level::weights,
};

} // namespace faultline::inject
