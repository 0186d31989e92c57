#pragma once

// Looking things up along the bases of a class of the program.

#include "program/values/value.hpp"

#include <string_view>

namespace faultline::program {

// A name that the class or one of its bases in the program defines; null if none does.
Ref find_in_class(const Class& klass, std::string_view name);

} // namespace faultline::program
