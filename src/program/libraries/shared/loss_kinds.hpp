#pragma once

#include "program/record/program.hpp"

#include <string_view>

namespace faultline::program {

// The kind that a row's operation stands for: "loss.mse" is mse, in any framework.
LossKind loss_kind(std::string_view op);

} // namespace faultline::program
