#pragma once

// What argparse, click and absl share: options with defaults that the user may override.

#include "program/libraries/shared/reading.hpp"

#include <string>
#include <string_view>

namespace faultline::program {

// "--batch-size" → "batch_size".
std::string option_name(std::string_view flag);

// A copy of a default, marked as an assumption.
Ref assumed(Machine& machine, Ref value);

// A default as the option's type reads it: "10" with int is 10. `type` may be null or None.
Ref converted(Machine& machine, Ref value, Ref type);

// A value of that type of which nothing else is known; text if there is no type.
Ref value_of_type(Machine& machine, Ref type);

void set_option(Machine& machine, Dict& options, std::string_view name, Ref value);

} // namespace faultline::program
