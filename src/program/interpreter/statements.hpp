#pragma once

// What each statement does: one function that tells the kinds apart, and the simple ones.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Flow execute_block(Interpreter& m, const Syntax* block);
Flow execute(Interpreter& m, const Syntax* statement);

} // namespace faultline::program
