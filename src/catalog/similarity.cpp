#include "catalog/similarity.hpp"

#include <algorithm>
#include <numeric>

namespace faultline::catalog {

std::optional<source::FixTrees> fix_trees_of(const Fault& fault)
{
  const Result<FileTree> fixed = program_of(fault, Version::fixed);
  FL_ASSERT(fixed.has_value(), "the patches of a loaded fault apply");
  return source::fix_trees(fault.program, *fixed);
}

bool share_type(const Fault& a, const Fault& b)
{
  return std::ranges::any_of(a.parts, [&b](const Part& part) {
    return std::ranges::any_of(b.parts, [&part](const Part& other) {
      return part.labels.get("type") == other.labels.get("type");
    });
  });
}

static size_t find_leader(std::vector<size_t>& leaders, size_t i)
{
  while (leaders[i] != i) {
    leaders[i] = leaders[leaders[i]];
    i = leaders[i];
  }
  return i;
}

Similarity::Similarity(const Catalog& catalog)
{
  std::vector<std::optional<source::FixTrees>> trees;
  for (const Fault& fault : catalog.faults) {
    if (fault.withdrawn) {
      continue;
    }
    m_faults.push_back(&fault);
    trees.push_back(fix_trees_of(fault));
  }
  const size_t n = m_faults.size();
  m_similarity.assign(n * n, 1.0);
  std::vector<size_t> leaders(n);
  std::iota(leaders.begin(), leaders.end(), size_t{0});
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = a + 1; b < n; ++b) {
      const double similarity =
          trees[a] && trees[b] ? source::fix_similarity(*trees[a], *trees[b]) : 0.0;
      m_similarity[a * n + b] = similarity;
      m_similarity[b * n + a] = similarity;
      if (similarity >= k_same_fix && share_type(*m_faults[a], *m_faults[b])) {
        leaders[find_leader(leaders, a)] = find_leader(leaders, b);
      }
    }
  }
  m_group_of.assign(n, 0);
  std::map<size_t, size_t> numbers;
  for (size_t i = 0; i < n; ++i) {
    const auto [number, is_new] = numbers.emplace(find_leader(leaders, i), m_groups.size());
    if (is_new) {
      m_groups.emplace_back();
    }
    m_groups[number->second].push_back(m_faults[i]);
    m_group_of[i] = number->second;
  }
}

size_t Similarity::index_of(const Fault& fault) const
{
  return static_cast<size_t>(std::ranges::find(m_faults, &fault) - m_faults.begin());
}

std::vector<Similar> Similarity::of(const Fault& fault) const
{
  std::vector<Similar> others;
  const size_t self = index_of(fault);
  if (self == m_faults.size()) {
    return others;
  }
  for (size_t i = 0; i < m_faults.size(); ++i) {
    if (i != self && at(self, i) > 0) {
      others.push_back({m_faults[i], at(self, i)});
    }
  }
  std::ranges::stable_sort(others, std::greater(), &Similar::similarity);
  return others;
}

const std::vector<const Fault*>& Similarity::group_of(const Fault& fault) const
{
  static const std::vector<const Fault*> k_none;
  const size_t i = index_of(fault);
  return i == m_faults.size() ? k_none : m_groups[m_group_of[i]];
}

int Similarity::support(const Fault& fault) const
{
  return static_cast<int>(group_of(fault).size());
}

} // namespace faultline::catalog
