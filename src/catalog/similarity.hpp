#pragma once

#include "catalog/catalog.hpp"
#include "source/fix_context.hpp"

#include <map>
#include <string>
#include <vector>

namespace faultline::catalog {

struct Similar {
  const Fault* fault;
  double similarity; // of the fixes: 0 nothing in common, 1 the same
};

// Two fixes that are at least this similar count as the same fix.
inline constexpr double k_same_fix = 0.6;

// The fix of a fault as syntax trees; nothing if it touches no code in a language that we parse.
std::optional<source::FixTrees> fix_trees_of(const Fault& fault);

// Whether a part of one has the type of a part of the other.
bool share_type(const Fault& a, const Fault& b);

// How alike the fixes of all pairs of faults are, by tree edit distance over the syntax trees of
// the changed statements. Fixes in different languages have similarity 0.
class Similarity {
public:
  explicit Similarity(const Catalog& catalog);

  // The other faults, most similar first, those with nothing in common left out.
  std::vector<Similar> of(const Fault& fault) const;

  // Faults that share root cause (the type of a part) and fix with `fault`, directly or through
  // others, itself included.
  const std::vector<const Fault*>& group_of(const Fault& fault) const;
  // The size of that group.
  int support(const Fault& fault) const;

private:
  size_t index_of(const Fault& fault) const;
  double at(size_t a, size_t b) const { return m_similarity[a * m_faults.size() + b]; }

  std::vector<const Fault*> m_faults;
  std::vector<double> m_similarity; // square matrix
  std::vector<std::vector<const Fault*>> m_groups;
  std::vector<size_t> m_group_of;
};

} // namespace faultline::catalog
