#pragma once

#include "catalog/fault.hpp"
#include "run/environments.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::proof {

// Where a fault can be proved on this machine. What is not built here is neither proved nor failed.
struct Places {
  std::vector<std::string>
      proved_in; // buggy fails, fixed passes; the first for the vacuous programs
  std::vector<std::string> absent_in;             // both pass
  std::map<std::string, std::string> unavailable; // environment → why
};

// Why programs of `fault` cannot run in that environment; nothing if they can.
std::optional<std::string> lacking_for(const catalog::Fault& fault,
                                       const run::Environment& environment);

// If none of its environments is there, the first stands in `proved_in` all the same: its runs then
// say why they cannot be made. `only` names the one to be proved in; empty for all.
Places places_of(const catalog::Fault& fault,
                 const run::Environments& environments,
                 const std::string& only = {});

} // namespace faultline::proof
