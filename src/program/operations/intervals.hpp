#pragma once

// What operations do to the values of tensors. Bounds that a float32 cannot tell from 0 are 0:
// sigmoid and softmax do underflow.

#include "program/domains/dim.hpp"
#include "program/domains/interval.hpp"

#include <string_view>

namespace faultline::program {

// An element-wise function of one argument by its op name ("relu", "sigmoid", "log", "square" …).
// The input itself for names that move or keep elements ("reshape", "dropout"); unknown for others.
Interval interval_after(std::string_view op, const Interval& x);

// A binary operation by its op name ("add", "div", "maximum", "pow" …).
Interval interval_after(std::string_view op, const Interval& a, const Interval& b);

// A reduction over `count` elements ("reduce_sum", "reduce_mean", "norm", "argmax" …).
Interval interval_reduced(std::string_view op, const Interval& x, const Dim& count);

Interval softmax_interval(const Interval& logits, const Dim& classes);
Interval log_softmax_interval(const Interval& logits, const Dim& classes);
Interval leaky_relu_interval(const Interval& x, double slope);
// A product of matrices that sums `count` terms each.
Interval product_interval(const Interval& a, const Interval& b, const Dim& count);
Interval joined(Interval a, const Interval& b);

} // namespace faultline::program
