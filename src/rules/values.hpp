#pragma once

// Reading the values of arguments. What is not known, or is one of several, is nothing.

#include "rules/rule.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace faultline::rules {

std::optional<bool> bool_of(Ref value);
std::optional<int64_t> int_of(Ref value);
std::optional<double> number_of(Ref value); // ints too
std::optional<std::string_view> text_of(Ref value);
// The numbers of a list or tuple; one for a single int, as kernel_size and strides are written.
std::optional<std::vector<int64_t>> ints_of(Ref value);

// The operation that a value names: 'relu', tf.nn.relu and nn.ReLU() are "relu", initializers
// likewise; None is "linear". Empty if not known.
std::string_view op_of(Ref value);

// The constructor's or the call's own argument, if it was written; null otherwise. The first of
// `names` that there is: libraries spell the same setting differently.
const program::Argument* written_setting(const Call& call,
                                         std::initializer_list<std::string_view> names);
// The same with defaults; null if the signature has none of them.
Ref setting_of(const Call& call, std::initializer_list<std::string_view> names);

} // namespace faultline::rules
