#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator hidden_neuron_deletion;
const Operator hidden_neuron_deletion{
    .name = "delete-hidden-neurons",
    .acronym = "",
    .summary = "Deletes a share of the hidden neurons",
    .type = "model/layers/layer-properties/suboptimal-number-of-neurons-in-the-layer",
    .level = Level::weights,
    .setting = {"share", {"0.01", "0.1", "0.5"}, Search::binary, 0.01, k_share},
};

} // namespace faultline::inject
