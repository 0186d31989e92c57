#pragma once

// Statements of which the run decides what is executed: both ways are taken, then joined.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Flow execute_if(Interpreter& m, const Syntax& statement);
Flow execute_try(Interpreter& m, const Syntax& statement);
Flow execute_match(Interpreter& m, const Syntax& statement);

} // namespace faultline::program
