#include "inject/operator.hpp"

namespace faultline::inject {

// What it does is in probes/mutate_weights.py.
extern const Operator input_deletion;
const Operator input_deletion{
    .name = "delete-inputs",
    .acronym = "",
    .summary = "Disconnects a share of the inputs from the first layer",
    .type = "training/training-data-quality/discarding-important-features",
    .level = Level::weights,
    .setting = {"share", {"0.01", "0.1", "0.5"}, Search::binary, 0.01, k_share},
};

} // namespace faultline::inject
