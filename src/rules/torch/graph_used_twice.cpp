#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/torch/reused_graphs.hpp"
#include "rules/training.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using Kind = Event::Kind;

static void
check_retained(const Program& program, Reporter& report, const std::vector<ReusedGraph>& reused)
{
  for (const TrainingLoop& loop : training_loops(program)) {
    const auto backward = std::ranges::find(loop.events, Kind::backward, &Event::kind);
    if (backward == loop.events.end() || backward->call == nullptr ||
        has(loop.events, Kind::helper) || has(loop.events, Kind::stranger)) {
      continue;
    }
    const program::Argument* retain = backward->call->given("retain_graph");
    const bool is_only_one = std::ranges::all_of(loop.events, [&](const Event& event) {
      return event.kind != Kind::backward || event.span == backward->span;
    });
    const bool is_needed = std::ranges::any_of(
        reused, [&](const ReusedGraph& graph) { return graph.first->span == backward->span; });
    if (retain != nullptr && bool_of(retain->value) == true && is_only_one && !is_needed) {
      report.add(retain->span, "the graph of each round is kept although nothing uses it again")
          .help("leave `retain_graph` out");
    }
  }
}

static void check(const Program& program, Reporter& report)
{
  const std::vector<ReusedGraph> reused = reused_graphs(program);
  for (const ReusedGraph& graph : reused) {
    if (!graph.is_freed || is_recurrent(*graph.shared)) {
      continue;
    }
    report.add(graph.second->span, "this goes through a graph that was freed before")
        .note(graph.first->span, "the graph is freed here")
        .note(graph.shared->span, "both go through this layer")
        .help("add the losses and call `backward()` once, or compute the output anew")
        .severity(Severity::error);
  }
  check_retained(program, report, reused);
}

extern const Rule graph_used_twice{
    .name = "graph-used-twice",
    .summary =
        "Finds backward() through a graph that is gone, and graphs that are kept for nothing",
    .applies = "torch",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
