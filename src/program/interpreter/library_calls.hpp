#pragma once

// Calling a function or class of a library: arguments bound to its row, then its transfer function.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

void bind_arguments(Interpreter& m, Call& call, const Api& api, std::vector<Argument> arguments);
Ref default_result(Interpreter& m, Call& call);
// Framework functions take what they get for a tensor, so an unknown first argument becomes one.
void take_for_tensor(Machine& m, Call& call);
Ref call_api_name(Interpreter& m, ApiName& name, std::vector<Argument> arguments, Span span);

} // namespace faultline::program
