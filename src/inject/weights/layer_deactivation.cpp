#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator layer_deactivation;
const Operator layer_deactivation{
    .name = "deactivate-layer",
    .acronym = "LD",
    .summary = "Makes a layer pass its input on unchanged",
    .level = Level::weights,
};

} // namespace faultline::inject
