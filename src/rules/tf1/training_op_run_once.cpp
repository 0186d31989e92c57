#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

#include <algorithm>

namespace faultline::rules {

using namespace tf1;

namespace {

// Every way out of the program is seen: no object of the graph is handed to code that is not known.
bool all_runs_are_known(const Graph& graph)
{
  return std::ranges::all_of(graph.runs(), [](const Run& run) { return run.fetches_known; });
}

// Something other than a run gets the operation: a group, a hook, a library that trains.
bool is_passed_on(const Program& program, const Call& operation)
{
  for (const Call& call : program.calls()) {
    if (is_run(call)) {
      continue;
    }
    for (const std::vector<program::Argument>* list : {&call.arguments, &call.surplus}) {
      for (const program::Argument& argument : *list) {
        std::vector<Ref> plain;
        bool complete = true;
        flatten(argument.value, plain, complete);
        if (std::ranges::any_of(plain, [&](Ref one) { return maker(one) == &operation; })) {
          return true;
        }
      }
    }
  }
  return false;
}

std::vector<const Run*> runs_with(const Graph& graph, const Call& operation)
{
  std::vector<const Run*> found;
  for (const Run& run : graph.runs()) {
    if (run.needs.has(operation)) {
      found.push_back(&run);
    }
  }
  return found;
}

// A step of training outside of any loop, and no other.
void check_once(const Graph& graph, const Call& operation, Reporter& report)
{
  const std::vector<const Run*> runs = runs_with(graph, operation);
  if (runs.size() != 1) {
    return;
  }
  const Call& call = *runs.front()->call;
  if (call.speculative || loop_of(call) != nullptr || loop_of(operation) != nullptr) {
    return;
  }
  report.add(call.span, "a single training step: the training operation is run once, in no loop")
      .note(operation.span, "the training operation")
      .help("run it in a loop over epochs and batches")
      .cause(&operation);
}

void check_never(const Graph& graph, const Call& operation, Reporter& report)
{
  const bool is_idle = runs_with(graph, operation).empty() && all_runs_are_known(graph) &&
                       !operation.speculative && !is_passed_on(graph.program(), operation);
  const bool has_runs = std::ranges::any_of(graph.runs(), [&](const Run& run) {
    return run.call->order > operation.order && first_of(run.needs, makes_variables) != nullptr;
  });
  if (is_idle && has_runs) {
    report.add(operation.span, "the training operation is made, but no run ever fetches it")
        .help("fetch it in the training loop: `sess.run([train_op, loss], ...)`")
        .severity(Severity::error)
        .type("api/missing-api-call")
        .cause(&operation);
  }
}

// In a graph these only add a node. Thrown away, it is never run.
bool has_effect(const Call& call)
{
  return is_assignment(call) || call.is("print_tensor") || call.is("table_insert") ||
         call.is("enqueue") || call.is("array_write") || call.is("moving_average");
}

void check_dropped(const Call& call, Reporter& report)
{
  const bool gives_array = call.is("array_write");
  report
      .add(call.span,
           gives_array ? "the array with the new element is thrown away"
                       : "this only adds an operation to the graph, which nothing runs")
      .label("the result is not used")
      .help(gives_array ? "keep the result: `array = array.write(...)`"
                        : "run the result in a session, or make what is run depend on it")
      .severity(Severity::error)
      .type("api/missing-api-call")
      .cause(&call);
}

} // namespace

static void check(const Graph& graph, Reporter& report)
{
  const Program& program = graph.program();
  for (const Call& call : program.calls()) {
    if (is_training(call)) {
      check_once(graph, call, report);
      check_never(graph, call, report);
    } else if (call.discarded && has_effect(call)) {
      check_dropped(call, report);
    }
  }
}

extern const Rule training_op_run_once{
    .name = "training-op-run-once",
    .summary = "Finds operations that are run too rarely: a training step outside any loop, an "
               "assignment that nothing runs",
    .applies = "tf1",
    .type = "training/hyperparameters/suboptimal-number-of-epochs",
    .fix_pattern = "iterations",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check_graph<check>,
};

} // namespace faultline::rules
