#pragma once

// Runs and variants as JSON, for exports and for what workers on other machines write.

#include "base/json.hpp"
#include "campaign/engine.hpp"

namespace faultline::campaign {

// NaN and infinities, which JSON does not know, are the texts "nan", "inf" and "-inf".
Json run_json(const Run& run);
Result<Run> run_from_json(const Json& json);

Json variant_json(const VariantRecord& record);

} // namespace faultline::campaign
