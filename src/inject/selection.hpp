#pragma once

#include "base/result.hpp"
#include "inject/operator.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace faultline::inject {

// A word chooses operators: all, a level ("source"), a code or its beginning ("MU2"), a name or an
// acronym, in any case.
bool matches(const Operator& op, std::string_view word);

// ", did you mean `x`?" or nothing.
std::string did_you_mean_operator(std::string_view word);

// The operators that any of `words` chooses, sorted by code. A word that chooses none is an error.
Result<std::vector<const Operator*>> select_operators(const std::vector<std::string>& words);

} // namespace faultline::inject
