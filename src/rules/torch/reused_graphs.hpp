#pragma once

// Graphs that two backward passes go through.

#include "rules/gradients.hpp"
#include "rules/rule.hpp"

#include <vector>

namespace faultline::rules {

struct ReusedGraph {
  const Call* first = nullptr;  // a backward()
  const Call* second = nullptr; // a later one that needs the same graph
  const Call* shared = nullptr; // a layer that both go through
  bool is_freed = false;        // the first one does not keep it
};

// Programs that freeze weights are left out: what needs a gradient there is not known.
std::vector<ReusedGraph> reused_graphs(const Program& program);

bool is_recurrent(const Call& call); // a recurrent layer, or one cell

} // namespace faultline::rules
