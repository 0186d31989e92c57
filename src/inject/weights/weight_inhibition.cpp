#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator weight_inhibition;
const Operator weight_inhibition{
    .name = "inhibit-weights",
    .acronym = "",
    .summary = "Sets a share of the weights to 0",
    .level = Level::weights,
    .setting = {"share", {"0.01", "0.1", "0.5"}, Search::binary, 0.01, k_share},
};

} // namespace faultline::inject
