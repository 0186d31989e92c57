#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace faultline {

// zstd, for logs and other texts that are kept.
std::string compress(std::string_view text);
Result<std::string> decompress(std::string_view packed);

} // namespace faultline
