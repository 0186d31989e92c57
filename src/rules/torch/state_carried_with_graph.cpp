#include "rules/facts.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"
#include "rules/torch/reused_graphs.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const ReusedGraph& graph : reused_graphs(program)) {
    if (!is_recurrent(*graph.shared) || graph.first->span != graph.second->span) {
      continue;
    }
    report
        .add(graph.shared->span,
             graph.is_freed
                 ? "the state keeps the graph of the round before, which is freed by then"
                 : "the state keeps the graphs of all rounds before")
        .note(graph.second->span, "goes back into earlier rounds")
        .help("cut the state off at the start of each round: `h = h.detach()`")
        .severity(graph.is_freed ? Severity::error : Severity::warning);
  }
}

extern const Rule state_carried_with_graph{
    .name = "state-carried-with-graph",
    .summary = "Finds hidden states that are carried to the next batch without detach",
    .applies = "torch",
    .type = "training/training-process/wrongly-implemented-back-propagation",
    .fix_pattern = "neural-connection",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
