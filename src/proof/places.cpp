#include "proof/places.hpp"

#include "base/format.hpp"

namespace faultline::proof {

std::optional<std::string> lacking_for(const catalog::Fault& fault,
                                       const run::Environment& environment)
{
  if (std::optional<std::string> missing = environment.missing(fault.framework)) {
    return missing;
  }
  for (const std::string& name : fault.data) {
    if (!environment.data_sets.contains(name)) {
      return format("the data set {} is not installed (npm ci)", name);
    }
  }
  return std::nullopt;
}

Places places_of(const catalog::Fault& fault,
                 const run::Environments& environments,
                 const std::string& only)
{
  Places places;
  const auto sort_out = [&](const std::vector<std::string>& names,
                            std::vector<std::string>& usable) {
    for (const std::string& name : names) {
      if (!only.empty() && name != only) {
        continue;
      }
      if (const auto why = lacking_for(fault, environments.get(name))) {
        places.unavailable[name] = *why;
      } else {
        usable.push_back(name);
      }
    }
  };
  sort_out(fault.environments, places.proved_in);
  sort_out(fault.absent_in, places.absent_in);
  if (places.proved_in.empty()) {
    places.proved_in = {only.empty() ? fault.environments.front() : only};
  }
  return places;
}

} // namespace faultline::proof
