#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator precision_reduction;
const Operator precision_reduction{
    .name = "round-weights",
    .acronym = "WPR",
    .summary = "Rounds all weights to a few decimals",
    .level = Level::weights,
    .setting = {"digits", {"2", "1", "0"}, Search::exhaustive, 0, k_count_or_none},
};

} // namespace faultline::inject
