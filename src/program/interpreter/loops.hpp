#pragma once

// Loops: unrolled while they build layers, else gone round twice and widened.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Flow execute_for(Interpreter& m, const Syntax& statement);
Flow execute_while(Interpreter& m, const Syntax& statement);

} // namespace faultline::program
