#pragma once

// object.name, read and set: of the program's objects, of a library's names, of tensors.

#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Ref bind_method(Interpreter& m, Function& function, Ref self);
Ref method(Interpreter& m,
           const Api& klass,
           std::string_view klass_name,
           Ref self,
           std::string_view name,
           Span span);
Ref attribute_of(Interpreter& m, Ref object, std::string_view name, Span span);
void store_attribute(Interpreter& m, Ref object, std::string_view name, Ref value, Span span);

} // namespace faultline::program
