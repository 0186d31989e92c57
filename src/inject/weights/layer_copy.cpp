#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator layer_copy;
const Operator layer_copy{
    .name = "copy-layer",
    .acronym = "",
    .summary = "Copies the weights of a layer over those of another of the same shape",
    .level = Level::weights,
};

} // namespace faultline::inject
