#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator weight_shuffling;
const Operator weight_shuffling{
    .name = "shuffle-weights",
    .acronym = "WS",
    .summary = "Shuffles the incoming weights of a share of the neurons",
    .level = Level::weights,
    .setting = {"share", {"0.01", "0.1", "0.5"}, Search::binary, 0.01, k_share},
};

} // namespace faultline::inject
