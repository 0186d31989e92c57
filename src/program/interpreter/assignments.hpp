#pragma once

// Giving names, attributes, items and the parts of a tuple their values.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

void assign_name(Interpreter& m, std::string_view name, Ref value);
void assign(Interpreter& m, const Syntax* target, Ref value);
void execute_augment(Interpreter& m, const Syntax& statement);

} // namespace faultline::program
