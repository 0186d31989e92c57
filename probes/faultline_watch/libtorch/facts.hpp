#pragma once

// What is said about a tensor of data, as JSON: the model's input, the prediction, the target.

#include <ATen/core/Tensor.h>

#include <string>

namespace faultline_watch {

std::string facts_of_input(const at::Tensor& tensor);
std::string facts_of_prediction(const at::Tensor& tensor);
// `classes`: how many the prediction has, where the target counts them; 0 if unknown.
std::string facts_of_target(const at::Tensor& tensor, int64_t classes);

// Share of right answers where the target is classes; NaN where that makes no sense.
double accuracy_of(const at::Tensor& prediction, const at::Tensor& target);

} // namespace faultline_watch
