#pragma once

// The files of the program: found beside the main one, run when a name of theirs is first used.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

// The versions that the nearest dependency file asks for.
void read_requirements(Interpreter& m);
// The file behind a module's name, looked for beside the importing file, then beside the main one
// and the folders above it. Null if the program has no such file or too many were read.
Unit* find_unit(Interpreter& m, const std::string& module, uint32_t level);
void run_unit(Interpreter& m, Unit& unit);
Ref resolve(Interpreter& m, Ref value);

} // namespace faultline::program
