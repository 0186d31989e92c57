#pragma once

// One item that stands for all of what a loop goes through.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Ref one_item_of(Interpreter& m, Ref iterable, Span span);

} // namespace faultline::program
