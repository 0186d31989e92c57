#pragma once

#include "base/sqlite.hpp"

namespace faultline::campaign {

// Make the tables of a campaign's database, or bring those of an earlier version up to date.
// An error if a later version wrote them.
Result<void> prepare_schema(Database& database);

} // namespace faultline::campaign
