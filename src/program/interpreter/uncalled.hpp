#pragma once

// Functions that nothing in the program calls.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

// Functions that nothing called are run with arguments of which nothing is known, so that what is
// wrong in them whatever they get is seen. Methods get an object of their class.
void run_uncalled(Interpreter& m);

} // namespace faultline::program
