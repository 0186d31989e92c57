#include "graph.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace faultline_watch {

constexpr size_t k_most_nodes = 256; // of one step
constexpr size_t k_most_steps = 64;
constexpr size_t k_most_used = 1 << 18;
constexpr size_t k_many_steps = 6; // whose graphs are held: more than a window of a few outputs

using torch::autograd::Node;

void Graphs::add(uint32_t step, const std::shared_ptr<Node>& node, const Stack& stack)
{
  if (m_told || node == nullptr) {
    return;
  }
  if (m_past.empty() || m_past.back().step != step) {
    m_past.push_back({step, {}});
    if (m_past.size() > k_most_steps) {
      m_past.pop_front();
    }
  }
  if (m_past.back().made.size() < k_most_nodes) {
    m_past.back().made.push_back({node, stack});
  }
}

// Adds everything that `node` was computed from, what only LibTorch itself called included.
static void add_used(const Node& node, std::unordered_set<const Node*>& used)
{
  std::vector<const Node*> waiting = {&node};
  while (!waiting.empty() && used.size() < k_most_used) {
    const Node* next = waiting.back();
    waiting.pop_back();
    for (const torch::autograd::Edge& edge : next->next_edges()) {
      if (edge.function != nullptr && used.insert(edge.function.get()).second) {
        waiting.push_back(edge.function.get());
      }
    }
  }
}

void Graphs::tell(Stream& stream, uint32_t step)
{
  if (m_told) {
    return;
  }
  size_t steps = 0;
  uint32_t oldest = step;
  std::vector<std::pair<std::shared_ptr<Node>, const Made*>> alive;
  std::unordered_set<const Node*> used; // by others that are alive
  for (const Past& past : m_past) {
    bool holds = false;
    for (const Made& made : past.made) {
      // What the program made in this step or the one before may be in its variables.
      if (std::shared_ptr<Node> node = past.step + 1 < step ? made.node.lock() : nullptr) {
        holds = true;
        add_used(*node, used);
        alive.emplace_back(std::move(node), &made);
      }
    }
    if (holds) {
      ++steps;
      oldest = std::min(oldest, past.step);
    }
  }
  if (steps < k_many_steps) {
    return;
  }
  m_told = true;
  // What holds them: operations whose result no other one needs, the line that holds most.
  std::map<Stack, size_t> lines;
  for (const auto& [node, made] : alive) {
    if (used.count(node.get()) == 0) {
      std::unordered_set<const Node*> held;
      add_used(*node, held);
      lines[made->stack] += held.size() + 1;
    }
  }
  const auto most = std::max_element(
      lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  Object values;
  values.whole("oldest", oldest)
      .whole("steps", static_cast<int64_t>(steps))
      .whole("operations", static_cast<int64_t>(alive.size()));
  Object event;
  event.text("name", "graph-kept").whole("step", step).raw("values", values.done());
  if (most != lines.end()) {
    event.raw("site", site_of(most->first));
  }
  stream.event("observation", event);
  alive.clear();
  m_past.clear();
}

} // namespace faultline_watch
