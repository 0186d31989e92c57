#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator neuron_inhibition;
const Operator neuron_inhibition{
    .name = "inhibit-neurons",
    .acronym = "",
    .summary = "Sets the incoming weights of a share of the neurons to 0",
    .level = Level::weights,
    .setting = {"share", {"0.01", "0.1", "0.5"}, Search::binary, 0.01, k_share},
};

} // namespace faultline::inject
