#pragma once

// object[index] of any object; tensors are in tensor_index.hpp.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Ref item_at(Interpreter& m, Ref object, Ref index, Call& call);

} // namespace faultline::program
