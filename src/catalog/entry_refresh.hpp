#pragma once

// How the index on disk (entry_index.hpp) is made and kept up to date.

#include "base/sqlite.hpp"
#include "catalog/entry_snapshot.hpp"

namespace faultline::catalog {

// Create the tables, from scratch if they have another version: everything in them can be read
// again.
Result<void> prepare_entries(Database& database);

Result<RefreshReport> refresh_entries(Database& database,
                                      const std::filesystem::path& root,
                                      const Schemes& schemes,
                                      const RefreshOptions& options);

// Whether the tables were filled from these folders and labels.
Result<bool>
is_source(Database& database, const std::filesystem::path& root, const Schemes& schemes);

// The facets of an entry as one text, and back.
FacetValues facets_of(const Fault& fault);
std::string print_facets(const FacetValues& values);
FacetValues read_facets(std::string_view text);

// Bring the number of faults with the same fix (similarity.hpp) up to date in every entry. Where
// more than a few dozen faults of one type have different fixes, only the same fix counts, not one
// that is alike: comparing all of them would take longer than reading them. False if nothing has
// changed since the last time.
Result<bool> update_support(Database& database, const Schemes& schemes);

} // namespace faultline::catalog
