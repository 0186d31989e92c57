#pragma once

// The one way to recurse over values, classes, tensors and calls. A list may hold itself, a branch
// may be shared a thousand times, and a chain may be as long as the program: whoever recurses by
// calling himself must think of all three. tests/program/recursion_test.cpp finds who does.

#include "program/values/value.hpp"

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace faultline::program {

// Beyond these a walk is cut, as if there were nothing more to see.
struct WalkLimits {
  size_t depth = 64;
  size_t visits = 100'000;
};

// What a walk does at something it has seen already.
enum class Again {
  reuse, // give what it gave before: each is visited once, and what is shared stays shared
  visit, // visit it once more: for walks that count or list what they meet
};

// A value without parts: nothing is gained by remembering that it was met.
inline bool is_plain(const Value& value)
{
  return value.kind == Kind::none || value.kind == Kind::constant || value.kind == Kind::number ||
         value.kind == Kind::text;
}
template <typename Node> bool is_plain(const Node& /*node*/)
{
  return false;
}

// A recursion in progress. `visit(node, walk)` gives the result for a node, and calls
// `walk(part)` where it wants that of a part. What is part of itself, lies too deep or is too much
// gives `cut`.
template <typename Node, typename Result, typename Visit> class Walk {
public:
  Walk(Result cut, Visit& visit, Again again, WalkLimits limits)
      : m_cut(std::move(cut)), m_visit(visit), m_again(again), m_limits(limits)
  {
  }

  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  Result operator()(Node* node)
  {
    if (node == nullptr || m_depth >= m_limits.depth || m_visits >= m_limits.visits) {
      return m_cut;
    }
    ++m_visits;
    if (is_plain(*node)) {
      return visited(node);
    }
    // Until its own result is there, a node that is met inside itself gives `cut`.
    const auto [known, is_new] = m_known.try_emplace(node, m_cut);
    if (!is_new) {
      return known->second;
    }
    Result result = visited(node);
    if (m_again == Again::visit) {
      m_known.erase(node);
    } else {
      m_known.insert_or_assign(node, result);
    }
    return result;
  }

  size_t depth() const { return m_depth - 1; } // of the node that is being visited; 0: the first

private:
  Result visited(Node* node)
  {
    ++m_depth;
    Result result = m_visit(node, *this);
    --m_depth;
    return result;
  }

  Result m_cut;
  Visit& m_visit;
  Again m_again;
  WalkLimits m_limits;
  size_t m_depth = 0;
  size_t m_visits = 0;
  std::unordered_map<Node*, Result> m_known;
};

template <typename Node, typename Result, typename Visit>
Result walk(Node* root,
            Result cut,
            Visit visit,
            Again again = Again::reuse,
            WalkLimits limits = WalkLimits())
{
  return Walk<Node, Result, Visit>(std::move(cut), visit, again, limits)(root);
}

// Visit all that can be reached from `root`, each once, however long the way. `visit(node, add)`
// calls `add(next)` for what comes after the node, and returns true to end the walk.
template <typename Node, typename Visit> bool any_reachable(Node* root, Visit visit)
{
  std::unordered_set<Node*> seen;
  std::vector<Node*> open;
  std::vector<Node*> next;
  const auto add = [&next](Node* node) { next.push_back(node); };
  add(root);
  do {
    // What was added first is visited first, as a recursion would.
    for (; !next.empty(); next.pop_back()) {
      open.push_back(next.back());
    }
    Node* const node = open.back();
    open.pop_back();
    if (node != nullptr && seen.insert(node).second && visit(*node, add)) {
      return true;
    }
  } while (!open.empty() || !next.empty());
  return false;
}

} // namespace faultline::program
