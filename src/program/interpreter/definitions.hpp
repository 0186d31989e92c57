#pragma once

// Functions, lambdas and classes of the program as they are defined.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

void define_function(Interpreter& m, const Syntax& statement);
Ref evaluate_lambda(Interpreter& m, const Syntax& expression);
void define_class(Interpreter& m, const Syntax& statement);

} // namespace faultline::program
