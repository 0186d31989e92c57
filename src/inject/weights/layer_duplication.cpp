#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator layer_duplication;
const Operator layer_duplication{
    .name = "duplicate-layer",
    .acronym = "LAm",
    .summary = "Applies a dense layer twice in a row",
    .level = Level::weights,
};

} // namespace faultline::inject
