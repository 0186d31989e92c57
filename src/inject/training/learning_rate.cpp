#include "inject/training.hpp"

namespace faultline::inject {

extern const Operator learning_rate;
const Operator learning_rate{
    .name = "decrease-learning-rate",
    .acronym = "HLR",
    .summary = "Makes the learning rate smaller",
    .type = "training/hyperparameters/suboptimal-learning-rate",
    .level = Level::dl,
    .setting = {.name = "factor",
                .values = {"0.5", "0.1", "0.01", "0.001"},
                .search = Search::binary,
                .precision = 0.01,
                .range = k_above_zero},
    .find = scale_learning_rate,
};

} // namespace faultline::inject
