#pragma once

#include "base/json.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <string_view>

namespace faultline {

struct JsonLimits {
  size_t depth = 100;
  size_t values = 2'000'000;
};

// Parses untrusted JSON. It is rejected before it is built if it is too deep or has too many
// values: in memory, a megabyte of brackets is many times its size.
Result<Json> parse_bounded_json(std::string_view text, JsonLimits limits = {});

} // namespace faultline
