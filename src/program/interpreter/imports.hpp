#pragma once

// Import statements: names of libraries, and names of files of the program.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Ref library_name(Interpreter& m, const std::string& path, Span span);
void execute_import(Interpreter& m, const Syntax& statement);
void execute_import_from(Interpreter& m, const Syntax& statement);

} // namespace faultline::program
