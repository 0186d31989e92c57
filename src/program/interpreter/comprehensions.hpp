#pragma once

// List, set and dict comprehensions, and generators.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Ref evaluate_comprehension(Interpreter& m, const Syntax& expression);

} // namespace faultline::program
