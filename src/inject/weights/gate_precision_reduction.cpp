#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator gate_precision_reduction;
const Operator gate_precision_reduction{
    .name = "round-gate",
    .acronym = "GPR",
    .summary = "Rounds the weights of one gate of a recurrent layer",
    .level = Level::weights,
    .setting = {"digits", {"2", "1", "0"}, Search::exhaustive, 0, k_count_or_none},
};

} // namespace faultline::inject
