#pragma once

// Python's operators: their names, and what they make of numbers that are known, of intervals and
// of sizes.

#include "program/domains/dim.hpp"
#include "program/domains/interval.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline::program {

struct Sign {
  std::string_view sign;
  std::string_view name;     // operator.add
  std::string_view in_place; // operator.iadd
  std::string_view method;   // __add__
};

const Sign* find_sign(std::string_view sign); // null if Python has no such operator

// Nothing if Python would raise, or the result needs more than 64 bits.
std::optional<int64_t> whole_result(std::string_view sign, int64_t a, int64_t b);
std::optional<double> real_result(std::string_view sign, double a, double b);
Interval interval_result(std::string_view sign, const Interval& a, const Interval& b);
Dim dim_result(std::string_view sign, const Dim& a, const Dim& b);

} // namespace faultline::program
