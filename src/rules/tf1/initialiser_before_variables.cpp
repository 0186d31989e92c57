#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

#include <algorithm>

namespace faultline::rules {

using namespace tf1;

namespace {

// Adam and its kin keep variables of their own, made by `minimize`; plain gradient descent does
// not.
bool makes_slots(const Call& call)
{
  const auto* optimizer = program::as<Instance>(call.self);
  const Call* made = optimizer != nullptr ? optimizer->made_by : nullptr;
  return is_training(call) && made != nullptr && made->api != nullptr &&
         made->name.find("GradientDescent") == std::string::npos &&
         made->name.starts_with("tensorflow.train.");
}

// The first thing that the run needs and that did not exist when `initialiser` was made.
const Call* left_out(const Needs& needs, const Call& initialiser)
{
  return first_of(needs, [&](const Call& call) {
    return call.order > initialiser.order && (makes_variables(call) || makes_slots(call));
  });
}

void check_variables(const Graph& graph, const Run& run, Reporter& report)
{
  const Preparation before = prepared_before(graph, run);
  if (before.otherwise || before.initialisers.empty()) {
    return; // none at all is another fault (DL501)
  }
  const Call& latest = **std::ranges::max_element(
      before.initialisers, {}, [](const Call* call) { return call->order; });
  if (!latest.arguments.empty()) {
    return; // of some variables, chosen by the program
  }
  const Call* late = left_out(run.needs, latest);
  if (late == nullptr || graph_of(graph.program(), latest) != graph_of(graph.program(), *late)) {
    return;
  }
  const bool is_optimizer = is_training(*late);
  report
      .add(latest.span,
           is_optimizer ? "the initialiser is made before the optimizer's variables"
                        : "the initialiser is made before the last variables")
      .label("covers only the variables that exist by now")
      .note(late->span, is_optimizer ? "`minimize` makes variables too" : "made later")
      .note(run.call->span, "used here without a value")
      .help("make the initialiser last, when the whole graph is built")
      .cause(&latest);
}

void check_queues(const Graph& graph, const Run& run, Reporter& report)
{
  const Call* queue = first_of(run.needs, [](const Call& call) { return call.is("input_queue"); });
  const Call* started = nullptr;
  for (const Call& call : graph.program().calls()) {
    if (call.order < run.call->order && call.is("start_queues")) {
      started = &call;
    }
  }
  if (queue == nullptr || started == nullptr || started->order > queue->order) {
    return;
  }
  report
      .add(started->span, "the threads are started before the queue that they are to fill is made")
      .label("starts only the queues that exist by now")
      .note(queue->span, "made later, so nothing fills it")
      .help("start the queue runners last, when the whole graph is built")
      .type("api/wrong-api-usage")
      .cause(started);
}

} // namespace

static void check(const Graph& graph, Reporter& report)
{
  for (const Run& run : graph.runs()) {
    if (run.session == nullptr || is_managed(run.session) ||
        first_of(run.needs, is_global_initialiser) != nullptr) {
      continue;
    }
    check_variables(graph, run, report);
    check_queues(graph, run, report);
  }
}

extern const Rule initialiser_before_variables{
    .name = "initialiser-before-variables",
    .summary = "Finds an initialiser or queue start that is made before what it should cover",
    .applies = "tf1",
    .type = "api/missing-global-variables-initialisation",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_graph<check>,
};

} // namespace faultline::rules
