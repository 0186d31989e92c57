#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator weight_change;
const Operator weight_change{
    .name = "scale-weight",
    .acronym = "",
    .summary = "Multiplies one weight",
    .level = Level::weights,
    .setting = {"factor", {"2", "10", "100"}, Search::exhaustive, 0, k_zero_or_more},
};

} // namespace faultline::inject
