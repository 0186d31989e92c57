#include "inject/training.hpp"

namespace faultline::inject {

extern const Operator raise_learning_rate;
const Operator raise_learning_rate{
    .name = "increase-learning-rate",
    .acronym = "",
    .summary = "Makes the learning rate larger",
    .type = "training/hyperparameters/suboptimal-learning-rate",
    .level = Level::dl,
    .setting = {.name = "factor",
                .values = {"10", "100", "1000"},
                .search = Search::exhaustive,
                .range = k_above_zero},
    .find = scale_learning_rate,
};

} // namespace faultline::inject
