#pragma once

// The one place that names the formatting library: `format("{} of {}", a, b)`.

#include <fmt/core.h>

namespace faultline {

using fmt::format;

} // namespace faultline
