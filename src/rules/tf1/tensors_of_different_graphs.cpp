#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

#include <algorithm>

namespace faultline::rules {

using namespace tf1;

namespace {

bool is_reset(const Program& program, const void* graph)
{
  return std::ranges::any_of(program.calls(), [graph](const Call& call) {
    return call.is("reset_graph") && &call == graph;
  });
}

// A node that the run needs and that lies in another graph than the session's.
const Call* foreign_node(const Program& program, const Run& run, const void* graph)
{
  return first_of(run.needs, [&](const Call& call) {
    return adds_node(call) && graph_of(program, call) != graph;
  });
}

void check_run(const Program& program, const Run& run, Reporter& report)
{
  const Call* made = run.session != nullptr ? run.session->made_by : nullptr;
  if (made == nullptr || is_managed(run.session) || run.call->speculative != made->speculative) {
    return;
  }
  const void* graph = graph_of_session(program, *run.session);
  const Call* node = foreign_node(program, run, graph);
  if (node == nullptr || node->speculative != made->speculative) {
    return;
  }
  const void* other = graph_of(program, *node);
  if (is_reset(program, graph) && (other == nullptr || is_reset(program, other))) {
    const auto* reset = static_cast<const Call*>(graph);
    report.add(reset->span, "throws away the graph that the session is to run")
        .note(node->span, "built before")
        .note(run.call->span, "run in the new graph, which does not have it")
        .help("reset the graph before anything is built")
        .cause(reset);
    return;
  }
  if (is_reset(program, other) && graph == nullptr) {
    return; // a session of the graph before, which lives on
  }
  report.add(run.call->span, "the session runs a tensor of a different graph from its own")
      .note(node->span, "made in the other graph")
      .note(made->span, "the session runs the graph that is the default here, or was handed to it")
      .help("make the session under `with graph.as_default():`, or pass it `graph=graph`")
      .cause(run.session);
}

// An operation whose inputs lie in another graph.
void check_inputs(const Program& program, const Call& call, Reporter& report)
{
  const void* graph = graph_of(program, call);
  for (const Tensor* input : call.inputs()) {
    const Call* made = input->producer;
    if (made == nullptr || !adds_node(*made) || made->speculative != call.speculative) {
      continue;
    }
    const void* other = graph_of(program, *made);
    if (other != graph) {
      const bool was_reset = is_reset(program, graph) && !is_reset(program, other);
      report.add(call.span, "joins tensors of different graphs")
          .note(made->span, "made in another graph")
          .help(was_reset ? "reset the graph before anything is built"
                          : "build both in the same graph")
          .cause(graph);
      return;
    }
  }
}

// A loss that is made inside of a loop of the graph and collected outside of it.
void check_collected(const Program& program, const Call& call, Reporter& report)
{
  const bool collects = call.is("add_loss") || call.name.starts_with("tensorflow.losses.");
  if (!collects || call.is("total_loss")) {
    return;
  }
  for (const Context* context = call.context; context != nullptr; context = context->parent) {
    if (context->kind != Context::Kind::function) {
      continue;
    }
    const auto is_loop = [&](const Call& loop) {
      return loop.name == "tensorflow.while_loop" && loop.span == context->span &&
             loop.arg("body") == context->subject;
    };
    const auto is_outside = [&](const Call& total) {
      return total.is("total_loss") && total.order > call.order &&
             !is_inside(total.context, context->syntax);
    };
    if (std::ranges::any_of(program.calls(), is_loop) &&
        std::ranges::any_of(program.calls(), is_outside)) {
      report.add(call.span, "collects a loss inside of a `while_loop` that is added up outside")
          .label("a tensor of the loop's body exists only while the loop runs")
          .help("carry the loss through the loop's variables")
          .cause(&call);
      return;
    }
  }
}

} // namespace

static void check(const Graph& graph, Reporter& report)
{
  const Program& program = graph.program();
  for (const Run& run : graph.runs()) {
    check_run(program, run, report);
  }
  for (const Call& call : program.calls()) {
    if (adds_node(call)) {
      check_inputs(program, call, report);
    }
    check_collected(program, call, report);
  }
}

extern const Rule tensors_of_different_graphs{
    .name = "tensors-of-different-graphs",
    .summary = "Finds tensors that are used in a different graph from the one they were made in",
    .applies = "tf1",
    .type = "api/wrong-reference-to-operational-graph",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_graph<check>,
};

} // namespace faultline::rules
