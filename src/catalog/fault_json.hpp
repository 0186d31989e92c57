#pragma once

#include "base/json.hpp"
#include "catalog/catalog.hpp"

namespace faultline::catalog {

// The shape that `list --json` prints; other programs build on it, so it only ever grows.
Json summary_json(const Fault& fault, int support);

// Everything that is known of a fault.
Json full_json(const Fault& fault, int support);

Json location_json(const Location& location);

// Faulty files and lines of each part, and the other places that can rightly be blamed.
Json locations_json(const Fault& fault);

} // namespace faultline::catalog
