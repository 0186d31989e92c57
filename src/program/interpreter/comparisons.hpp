#pragma once

// Comparisons and membership, as far as the run does not decide them.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

// A bool that may depend on the run, or on what the user chose.
Ref truth_of(Machine& m, std::optional<bool> known, bool assumed);
Ref evaluate_compare(Interpreter& m, const Syntax& expression);

} // namespace faultline::program
