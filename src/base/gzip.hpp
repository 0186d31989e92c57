#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace faultline {

// From 1, quick, to 9, small. The same bytes give the same result: no time goes in.
std::string gzip(std::string_view bytes, int level = 6);

// An error if `bytes` are broken or unpack to more than `limit`.
Result<std::string> gunzip(std::string_view bytes, size_t limit);

} // namespace faultline
