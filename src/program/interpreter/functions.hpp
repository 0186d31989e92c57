#pragma once

// Calling a function of the program: it is inlined, its parameters in a scope of its own.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Ref call_function(
    Interpreter& m, Function& function, Ref self, std::vector<Argument> arguments, Span span);

} // namespace faultline::program
