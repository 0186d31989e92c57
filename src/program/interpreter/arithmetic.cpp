#include "program/interpreter/arithmetic.hpp"

#include <array>
#include <cmath>

namespace faultline::program {

static constexpr std::array<Sign, 19> k_signs = {{
    {"+", "operator.add", "operator.iadd", "__add__"},
    {"-", "operator.sub", "operator.isub", "__sub__"},
    {"*", "operator.mul", "operator.imul", "__mul__"},
    {"/", "operator.truediv", "operator.itruediv", "__truediv__"},
    {"//", "operator.floordiv", "operator.ifloordiv", "__floordiv__"},
    {"%", "operator.mod", "operator.imod", "__mod__"},
    {"**", "operator.pow", "operator.ipow", "__pow__"},
    {"@", "operator.matmul", "operator.imatmul", "__matmul__"},
    {"&", "operator.and", "operator.iand", "__and__"},
    {"|", "operator.or", "operator.ior", "__or__"},
    {"^", "operator.xor", "operator.ixor", "__xor__"},
    {"<<", "operator.lshift", "operator.ilshift", "__lshift__"},
    {">>", "operator.rshift", "operator.irshift", "__rshift__"},
    {"==", "operator.eq", "", "__eq__"},
    {"!=", "operator.ne", "", "__ne__"},
    {"<", "operator.lt", "", "__lt__"},
    {"<=", "operator.le", "", "__le__"},
    {">", "operator.gt", "", "__gt__"},
    {">=", "operator.ge", "", "__ge__"},
}};

const Sign* find_sign(std::string_view sign)
{
  for (const Sign& one : k_signs) {
    if (one.sign == sign) {
      return &one;
    }
  }
  return nullptr;
}

std::optional<int64_t> whole_result(std::string_view sign, int64_t a, int64_t b)
{
  int64_t result = 0;
  if (sign == "+") {
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  }
  if (sign == "-") {
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  }
  if (sign == "*") {
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  }
  if ((sign == "//" || sign == "%") && b != 0 && !(b == -1 && a == INT64_MIN)) {
    const int64_t quotient = a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
    return sign == "//" ? quotient : a - quotient * b;
  }
  if (sign == "**" && b >= 0 && b < 64) {
    result = 1;
    for (int64_t i = 0; i < b; ++i) {
      if (__builtin_mul_overflow(result, a, &result)) {
        return std::nullopt;
      }
    }
    return result;
  }
  if (sign == "<<" && b >= 0 && b < 32 && a >= 0 && a < (int64_t{1} << 30)) {
    return a << b;
  }
  if (sign == ">>" && b >= 0 && b < 63) {
    return a >> b;
  }
  if (sign == "&") {
    return a & b;
  }
  if (sign == "|") {
    return a | b;
  }
  if (sign == "^") {
    return a ^ b;
  }
  return std::nullopt;
}

std::optional<double> real_result(std::string_view sign, double a, double b)
{
  if (sign == "+") {
    return a + b;
  }
  if (sign == "-") {
    return a - b;
  }
  if (sign == "*") {
    return a * b;
  }
  if (sign == "/" && b != 0) {
    return a / b;
  }
  if (sign == "//" && b != 0) {
    return std::floor(a / b);
  }
  if (sign == "%" && b != 0) {
    return a - std::floor(a / b) * b;
  }
  if (sign == "**") {
    const double power = std::pow(a, b);
    return std::isfinite(power) ? std::optional(power) : std::nullopt;
  }
  return std::nullopt;
}

Interval interval_result(std::string_view sign, const Interval& a, const Interval& b)
{
  return sign == "+"   ? a.plus(b)
         : sign == "-" ? a.minus(b)
         : sign == "*" ? a.times(b)
         : sign == "/" ? a.over(b)
                       : Interval::top();
}

Dim dim_result(std::string_view sign, const Dim& a, const Dim& b)
{
  if (sign == "+") {
    return a.plus(b);
  }
  if (sign == "-") {
    return a.minus(b);
  }
  if (sign == "*") {
    return a.times(b);
  }
  if (sign == "//" && b.constant() && *b.constant() > 0) {
    return a.floor_div(*b.constant());
  }
  return Dim::top();
}

} // namespace faultline::program
