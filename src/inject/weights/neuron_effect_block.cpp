#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator neuron_effect_block;
const Operator neuron_effect_block{
    .name = "block-neuron-effect",
    .acronym = "NEB",
    .summary = "Sets the outgoing weights of a share of the neurons to 0",
    .level = Level::weights,
    .setting = {"share", {"0.01", "0.1", "0.5"}, Search::binary, 0.01, k_share},
};

} // namespace faultline::inject
