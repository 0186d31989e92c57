#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace faultline {

// zstd, for logs and other stored texts.
std::string compress(std::string_view text);
Result<std::string> decompress(std::string_view packed);

} // namespace faultline
