#include "stats/agreement.hpp"

#include "base/result.hpp"

#include <map>

namespace faultline::stats {

double cohens_kappa(std::span<const int> first, std::span<const int> second)
{
  FL_ASSERT(first.size() == second.size(), "both raters label the same things");
  FL_ASSERT(!first.empty(), "the agreement on nothing is undefined");
  struct Uses {
    double by_first = 0;
    double by_second = 0;
  };
  std::map<int, Uses> categories;
  double agreed = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    ++categories[first[i]].by_first;
    ++categories[second[i]].by_second;
    agreed += first[i] == second[i] ? 1 : 0;
  }
  if (categories.size() == 1) {
    return 1;
  }
  const auto n = static_cast<double>(first.size());
  double by_chance = 0;
  for (const auto& [category, uses] : categories) {
    by_chance += uses.by_first / n * (uses.by_second / n);
  }
  return (agreed / n - by_chance) / (1 - by_chance);
}

} // namespace faultline::stats
