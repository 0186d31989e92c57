#pragma once

// What an optimizer is and how it was set up.

#include <torch/optim/optimizer.h>

#include <string>

namespace faultline_watch {

std::string readable(const char* type);                        // a name of typeid
std::string kind_of(const torch::optim::Optimizer& optimizer); // "Adam"
double rate_of(const torch::optim::Optimizer& optimizer);
std::string settings_of(const torch::optim::Optimizer& optimizer); // JSON

} // namespace faultline_watch
