#pragma once

// The value of an expression: one function that tells the kinds apart, and the simple ones.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Ref evaluate(Interpreter& m, const Syntax* expression);
// x[i] has one index, x[i, j] a tuple.
Ref evaluate_index(Interpreter& m, const Syntax& subscript);
Ref evaluate_sequence(Interpreter& m, const Syntax& expression);

} // namespace faultline::program
