#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator neuron_switch;
const Operator neuron_switch{
    .name = "switch-neurons",
    .acronym = "NS",
    .summary = "Permutes a share of the neurons of a layer",
    .level = Level::weights,
    .setting = {"share", {"0.01", "0.1", "0.5"}, Search::binary, 0.01, k_share},
};

} // namespace faultline::inject
