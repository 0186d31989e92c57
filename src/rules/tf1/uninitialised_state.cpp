#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

#include <algorithm>

namespace faultline::rules {

using namespace tf1;

namespace {

// `tf.Session(init)`: the first argument is the address of a server.
void check_target(const Call& call, Reporter& report)
{
  const program::Argument* target = call.given("target");
  const Call* made = target != nullptr ? maker(target->value) : nullptr;
  if (made == nullptr || !made->is("initialize_variables")) {
    return;
  }
  report.add(target->span, "the initialiser is handed to the session, which does not run it")
      .label("the first argument is the address to connect to")
      .help("make the session first, then `session.run(...)` the initialiser")
      .cause(call.result);
}

// An object of the program that outlives the function may have been prepared elsewhere.
bool is_followed(const Run& run)
{
  const Call* made = run.session != nullptr ? run.session->made_by : nullptr;
  return made != nullptr && !is_managed(run.session) &&
         (!run.call->speculative || are_in_one_function(*run.call, *made));
}

// An initialiser that nobody ran, to point at.
const Call* idle_initialiser(const Program& program)
{
  for (const Call& call : program.calls()) {
    if (is_global_initialiser(call)) {
      return &call;
    }
  }
  return nullptr;
}

bool assigns(const Needs& needs)
{
  return std::ranges::any_of(needs.calls, [](const Call* call) {
    return is_assignment(*call) || call->is("initialize_variables");
  });
}

void check_variables(const Graph& graph, const Run& run, Reporter& report)
{
  const Call* variable = first_of(run.needs, makes_variables);
  if (variable == nullptr || assigns(run.needs)) {
    return;
  }
  const Preparation before = prepared_before(graph, run);
  if (before.otherwise || !before.initialisers.empty()) {
    return;
  }
  Draft& draft = report.add(run.call->span, "variables are used before anything initialises them")
                     .note(variable->span, "this variable has no value yet")
                     .help("run `tf.global_variables_initializer()` in this session first")
                     .cause(run.session);
  if (const Call* idle = idle_initialiser(graph.program())) {
    draft.note(idle->span,
               idle->order < run.call->order
                   ? "this initialiser is made but not run in the session before"
                   : "this initialiser comes too late");
  }
}

// --- Local variables: the counters of tf.metrics and of epochs. ---

bool makes_local_variables(const Call& call)
{
  if (call.name.starts_with("tensorflow.metrics.") ||
      call.name == "tensorflow.get_local_variable") {
    return true;
  }
  const program::Argument* epochs = call.given("num_epochs");
  return call.is("input_queue") && epochs != nullptr && epochs->value->kind != program::Kind::none;
}

void check_locals(const Graph& graph, const Run& run, Reporter& report)
{
  const Call* local = first_of(run.needs, makes_local_variables);
  if (local == nullptr || assigns(run.needs)) {
    return;
  }
  const Preparation before = prepared_before(graph, run);
  const bool has_ran_locals = std::ranges::any_of(graph.runs(), [&](const Run& earlier) {
    return earlier.call->order < run.call->order &&
           std::ranges::any_of(earlier.needs.calls, [](const Call* call) {
             return call->is("initialize_variables") && !is_global_initialiser(*call);
           });
  });
  if (has_ran_locals || before.otherwise) {
    return;
  }
  report.add(run.call->span, "local variables are used before anything initialises them")
      .note(local->span, "counts in a local variable")
      .help("run `tf.local_variables_initializer()` too")
      .cause(local);
}

// --- Queues that threads must fill. ---

void check_queues(const Graph& graph, const Run& run, Reporter& report)
{
  const Call* queue = first_of(run.needs, [](const Call& call) { return call.is("input_queue"); });
  if (queue == nullptr) {
    return;
  }
  for (const Call& call : graph.program().calls()) {
    if (call.order < run.call->order && call.is("start_queues")) {
      return; // started too early is another fault (DL505)
    }
  }
  for (const program::NameUse& use : graph.program().name_uses()) {
    for (const std::string_view name : {"QueueRunner", "Supervisor", "queues.QueueRunners"}) {
      if (use.path.find(name) != std::string::npos) {
        return;
      }
    }
  }
  report.add(run.call->span, "waits for ever: no thread fills the queue that this reads from")
      .note(queue->span, "the queue is made here")
      .help("call `tf.train.start_queue_runners(sess)` before the first run")
      .type("api/missing-api-call")
      .cause(queue);
}

// --- A variable whose first value is computed from another variable. ---

void check_dependent(const Graph& graph, const Call& call, Reporter& report)
{
  const program::Argument* value = call.given("initial_value");
  if (value == nullptr) {
    return;
  }
  const Needs needs = graph.needs_of({value->value});
  const Call* source = first_of(needs, makes_variables);
  if (source == nullptr || source == &call) {
    return;
  }
  for (const Run& run : graph.runs()) {
    for (const Call* initialiser : run.needs.calls) {
      const bool covers_both = is_global_initialiser(*initialiser) &&
                               initialiser->arguments.empty() && initialiser->order > call.order;
      if (covers_both) {
        report.add(value->span, "the first value comes from a variable that may have none yet")
            .severity(Severity::warning)
            .label("one initialiser sets both, in no particular order")
            .note(source->span, "this variable")
            .help("compute it from `variable.initialized_value()`")
            .cause(&call);
        return;
      }
    }
  }
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  const Graph graph(program);
  for (const Call& call : program.calls()) {
    if (call.is("session")) {
      check_target(call, report);
    }
  }
  if (!graph.is_used()) {
    return;
  }
  for (const Run& run : graph.runs()) {
    if (!is_followed(run)) {
      continue;
    }
    check_variables(graph, run, report);
    check_locals(graph, run, report);
    check_queues(graph, run, report);
  }
  for (const Call& call : program.calls()) {
    if (call.is("variable")) {
      check_dependent(graph, call, report);
    }
  }
}

extern const Rule uninitialised_state{
    .name = "uninitialised-state",
    .summary = "Finds variables, local variables and queues that are used in a session before "
               "anything sets them up",
    .applies = "tf1",
    .type = "api/missing-global-variables-initialisation",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
