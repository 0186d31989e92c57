#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator recurrent_weight_fuzzing;
const Operator recurrent_weight_fuzzing{
    .name = "fuzz-recurrent-weights",
    .acronym = "WGF",
    .summary = "Adds normal noise to a share of the weights of recurrent layers",
    .level = Level::weights,
    .setting = {"share", {"0.01", "0.1", "0.5"}, Search::binary, 0.01, k_share},
};

} // namespace faultline::inject
