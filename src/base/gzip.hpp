#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace faultline {

// Level 1 is fastest, 9 is smallest. The output is deterministic: it contains no timestamp.
std::string gzip(std::string_view bytes, int level = 6);

// Fails if `bytes` are corrupt or unpack to more than `limit` bytes.
Result<std::string> gunzip(std::string_view bytes, size_t limit);

} // namespace faultline
