#pragma once

#include "source/language.hpp"

#include <cstddef>
#include <string_view>

namespace faultline::source {

// How many bytes of `text` may be given to the parser. It loses its way, to the point of freeing
// memory that is not its own, when more than 65,535 tokens wait for the end of what they began
// (`((((`, `not not not`, `lambda: lambda:`). No program that makes sense comes near. The statement
// in which Python text goes too far, and what follows it, is left out.
size_t parsable_length(std::string_view text, Language language);

} // namespace faultline::source
