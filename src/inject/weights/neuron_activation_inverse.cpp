#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator neuron_activation_inverse;
const Operator neuron_activation_inverse{
    .name = "invert-neuron",
    .acronym = "NAI",
    .summary = "Inverts the sign of a share of the neurons before their activation",
    .level = Level::weights,
    .setting = {"share", {"0.01", "0.1", "0.5"}, Search::binary, 0.01, k_share},
};

} // namespace faultline::inject
