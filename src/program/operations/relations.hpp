#pragma once

// What one tensor is to another, found by going back along the calls that made them. This is what
// proves that x - max(x) is not positive.

#include "program/values/value.hpp"

#include <string_view>

namespace faultline::program {

// The tensor that `tensor` shows under another shape or without gradient: back through expand_dims,
// reshape, detach and their kin. At least `tensor` itself.
const Tensor* original(const Tensor* tensor);

// `whole` was reduced by `op` to give `part`, apart from its shape: reduce_max, reduce_sum …
bool is_reduction_of(const Tensor* part, const Tensor* whole, std::string_view op);

// exp(x - max(x)): some element is 1, so that a sum of them is at least 1.
bool is_shifted_exponential(const Tensor* tensor);

// A convolution that enlarges, an upsampling or a crop lies on the way to `tensor`.
bool is_resized(const Tensor* tensor);

} // namespace faultline::program
