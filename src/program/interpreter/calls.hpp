#pragma once

// Calling a value: whatever it is, and what is recorded of a call that is not followed.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

// Something that is not followed. It is recorded with what it gets, which it may change.
Ref call_unknown(
    Interpreter& m, std::string name, Ref self, std::vector<Argument> arguments, Span span);
Ref call_class(Interpreter& m, Class& klass, std::vector<Argument> arguments, Span span);
Ref call_value(Interpreter& m, Ref callee, std::vector<Argument> arguments, Span span);

} // namespace faultline::program
