#pragma once

// What a name stands for, and a chain of names with dots.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Ref evaluate_name(Interpreter& m, const Syntax& expression);
Ref evaluate_attribute(Interpreter& m, const Syntax& expression, bool outermost);

} // namespace faultline::program
