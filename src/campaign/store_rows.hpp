#pragma once

// The rows of a campaign's database, written and read. For the store only.

#include "base/sqlite.hpp"
#include "campaign/data.hpp"

namespace faultline::campaign {

template <typename Use> Result<void> for_each_row(Statement& statement, const Use& use)
{
  while (true) {
    FL_TRY(const bool there, statement.step());
    if (!there) {
      return {};
    }
    use(statement);
  }
}

// The table `plan`: single values.
Result<void> put_value(Database& database, std::string_view key, std::string_view value);
Result<std::map<std::string, std::string>> load_values(Database& database);

Result<void> put_variants(Database& database, const std::vector<VariantRecord>& records);
Result<std::vector<VariantRecord>> load_variants(Database& database);

// Nothing happens if the address has a run with this repeat already.
Result<void> put_run(Database& database,
                     const Run& run,
                     const std::string& address,
                     std::string_view packed_log);
// Those of the plan's variants and of the clean program, repeats beyond the wanted ones left out.
Result<void> load_runs(Database& database, Data& data);
// Without its variant.
Result<std::optional<Run>> load_run(Database& database, const std::string& address, int repeat);

} // namespace faultline::campaign
