#include "source/tree_distance.hpp"

#include <algorithm>

// K. Zhang and D. Shasha, "Simple fast algorithms for the editing distance between trees and
// related problems", SIAM Journal on Computing 18 (1989). The distance between two subtrees is
// needed for every pair of nodes; it comes out of a table over the forests before them. One such
// table, made for a pair of keyroots, gives the distances for all pairs of nodes on the paths from
// the keyroots to their first leaves. Time O(n m min(depth, leaves)^2), space O(n m).
//
// What is counted here is not the cost of an edit script but what it saves over deleting all of one
// tree and inserting all of the other. Then nothing has to be added for a node that is deleted or
// inserted, which leaves two maxima for each cell of a table, and an empty forest saves nothing.

namespace faultline::source {

namespace {

// In halves, so that savings are whole numbers.
using Saving = uint32_t;

// Kept between calls: a search compares one tree with thousands.
struct Tables {
  std::vector<Saving> trees;   // [i * size of b + j]: for the subtrees at i and j
  std::vector<Saving> forests; // for the keyroots at hand; row and column 0 are the empty forest
};

} // namespace

// Keeping a node saves its deletion and its insertion, less what its new label costs.
static Saving saving_of(const NodeLabel& a, const NodeLabel& b)
{
  return a.kind != b.kind ? 2 : a.text != b.text ? 3 : 4;
}

// Fill in the savings for all pairs of nodes on the paths of keyroots `a_root` and `b_root`.
static void compare_keyroots(
    const LabelledTree& a, const LabelledTree& b, uint32_t a_root, uint32_t b_root, Tables& tables)
{
  const uint32_t a_first = a.first_leaf[a_root];
  const uint32_t b_first = b.first_leaf[b_root];
  const size_t rows = a_root - a_first + 1;
  const size_t columns = b_root - b_first + 1;
  const size_t stride = columns + 1;
  const uint32_t* const b_leaves = b.first_leaf.data() + b_first;
  const NodeLabel* const b_labels = b.labels.data() + b_first;
  Saving* const forests = tables.forests.data();
  std::fill_n(forests, stride, 0);

  for (size_t x = 0; x < rows; ++x) {
    const size_t i = a_first + x;
    const Saving* const above = forests + x * stride;
    const Saving* const before_i = forests + (a.first_leaf[i] - a_first) * stride;
    Saving* const row = forests + (x + 1) * stride;
    Saving* const trees = tables.trees.data() + i * b.size() + b_first;
    Saving best = 0;
    row[0] = 0;
    // Either i or j goes, or their trees are matched and so are the forests before them.
    if (a.first_leaf[i] != a_first) {
      for (size_t y = 0; y < columns; ++y) {
        best = std::max({best, above[y + 1], before_i[b_leaves[y] - b_first] + trees[y]});
        row[y + 1] = best;
      }
      continue;
    }
    // The forest up to i is the tree at i. Where that holds for j too, i and j are matched.
    const NodeLabel& a_label = a.labels[i];
    for (size_t y = 0; y < columns; ++y) {
      if (b_leaves[y] != b_first) {
        best = std::max({best, above[y + 1], before_i[b_leaves[y] - b_first] + trees[y]});
      } else {
        best = std::max({best, above[y + 1], above[y] + saving_of(a_label, b_labels[y])});
        trees[y] = best;
      }
      row[y + 1] = best;
    }
  }
}

double tree_distance(const LabelledTree& a, const LabelledTree& b)
{
  const auto nodes = static_cast<double>(a.size() + b.size());
  if (a.size() == 0 || b.size() == 0) {
    return nodes;
  }
  if (a == b) {
    return 0;
  }
  thread_local Tables tables;
  tables.trees.resize(std::max(tables.trees.size(), a.size() * b.size()));
  tables.forests.resize(std::max(tables.forests.size(), (a.size() + 1) * (b.size() + 1)));
  for (const uint32_t a_root : a.keyroots) {
    for (const uint32_t b_root : b.keyroots) {
      compare_keyroots(a, b, a_root, b_root, tables);
    }
  }
  const Saving saving = tables.trees[a.size() * b.size() - 1];
  // What two large trees needed is not held for ever.
  constexpr size_t k_most_kept = 1U << 20U;
  if (tables.trees.size() > k_most_kept) {
    tables = {};
  }
  return nodes - saving / 2.0;
}

double similarity(const LabelledTree& a, const LabelledTree& b)
{
  const size_t nodes = a.size() + b.size();
  return nodes == 0 ? 1 : 1 - tree_distance(a, b) / static_cast<double>(nodes);
}

} // namespace faultline::source
