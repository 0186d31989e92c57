#pragma once

// Arithmetic on Python's own values; on tensors, operators are rows of
// libraries/shared/operators.cpp.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Ref operator_call(Interpreter& m,
                  std::string_view name,
                  std::vector<Argument> arguments,
                  Span span);
Ref evaluate_binary(
    Interpreter& m, std::string_view sign, Ref a, Ref b, const Syntax& expression, bool in_place);
Ref evaluate_unary(Interpreter& m, const Syntax& expression);

} // namespace faultline::program
