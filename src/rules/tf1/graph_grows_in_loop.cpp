#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

#include <algorithm>
#include <map>

namespace faultline::rules {

using namespace tf1;

namespace {

bool is_short(const Context& loop)
{
  constexpr size_t k_few = 5;
  const auto* items = program::as<program::Sequence>(loop.subject);
  return items != nullptr && !items->open && items->items.size() <= k_few;
}

// Each trip works on a graph or session of its own.
bool starts_afresh(const Program& program, const Context& loop)
{
  return std::ranges::any_of(program.calls(), [&](const Call& call) {
    return (call.is("session") || call.is("graph") || call.is("reset_graph") ||
            call.name.find("clear_session") != std::string::npos) &&
           is_inside(call.context, loop.syntax);
  });
}

const Run* run_in(const Graph& graph, const Context& loop)
{
  for (const Run& run : graph.runs()) {
    if (is_inside(run.call->context, loop.syntax)) {
      return &run;
    }
  }
  return nullptr;
}

// The value of a name is replaced by a node made from it: `x = x + 1`.
bool feeds_itself(const Call& call, const Call& again)
{
  const auto* first = program::as<Tensor>(call.result);
  const std::vector<Tensor*> inputs = again.inputs();
  return std::ranges::any_of(inputs, [first](const Tensor* input) {
    return first != nullptr && input->producer == first->producer;
  });
}

struct Growth {
  const Context* loop = nullptr;
  std::vector<const Call*> nodes; // of the first trip
  const Call* self_feeding = nullptr;
};

// The innermost loop around the call in which the session runs too.
const Context* running_loop(const Graph& graph, const Call& call)
{
  for (const Context* context = call.context; context != nullptr; context = context->parent) {
    if (context->kind == Context::Kind::loop && run_in(graph, *context) != nullptr) {
      return context;
    }
  }
  return nullptr;
}

std::vector<Growth> growing_loops(const Graph& graph)
{
  std::vector<Growth> found;
  std::map<const Syntax*, size_t> by_loop;
  for (const Call& call : graph.program().calls()) {
    const Context* loop = adds_node(call) ? running_loop(graph, call) : nullptr;
    if (loop == nullptr) {
      continue;
    }
    const auto [place, is_new] = by_loop.try_emplace(loop->syntax, found.size());
    if (is_new) {
      found.push_back({loop, {}, nullptr});
    }
    Growth& growth = found[place->second];
    if (loop->iteration == 0) {
      growth.nodes.push_back(&call);
      continue;
    }
    for (const Call* first : growth.nodes) {
      if (first->span == call.span && feeds_itself(*first, call)) {
        growth.self_feeding = growth.self_feeding == nullptr ? first : growth.self_feeding;
      }
    }
  }
  return found;
}

void check_loops(const Graph& graph, Reporter& report)
{
  for (const Growth& growth : growing_loops(graph)) {
    // A few operations more do no harm, but a name that moves on along the graph does.
    const bool is_harmless = growth.self_feeding == nullptr && is_short(*growth.loop);
    if (growth.nodes.empty() || is_harmless || starts_afresh(graph.program(), *growth.loop)) {
      continue;
    }
    const Call& node =
        growth.self_feeding != nullptr ? *growth.self_feeding : *growth.nodes.front();
    Draft& draft =
        report.add(node.span, "every iteration of the loop adds operations to the graph")
            .label(growth.self_feeding != nullptr
                       ? "a new operation on the one of the previous iteration"
                       : "a new operation each time")
            .note(run_in(graph, *growth.loop)->call->span, "the session runs in the same loop")
            .help("build the graph once, before the loop, and only run it inside")
            .cause(growth.loop->syntax);
    if (growth.nodes.size() > 1) {
      draft.note(format("{} operations are added each time", growth.nodes.size()));
    }
  }
}

// Supervisors and monitored sessions close the graph.
void check_finalised(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!adds_node(call)) {
      continue;
    }
    for (const Context* context = call.context; context != nullptr; context = context->parent) {
      const auto* session = program::as<Instance>(context->subject);
      const bool is_session = context->kind == Context::Kind::with && session != nullptr &&
                              session->api != nullptr && session->api->op == "session";
      const Call* made = is_session ? session->made_by : nullptr;
      if (made == nullptr || !is_managed(session) ||
          (made->name.find("Monitored") == std::string::npos && !made->is("managed_session"))) {
        continue;
      }
      report.add(call.span, "adds an operation to a graph that is closed")
          .severity(Severity::error)
          .type("api/wrong-api-usage")
          .note(made->callee.empty() ? made->span : made->callee,
                "this session closes the graph when it starts")
          .help("build the graph before the session starts; it initialises variables itself")
          .cause(made);
    }
  }
}

} // namespace

static void check(const Graph& graph, Reporter& report)
{
  const Program& program = graph.program();
  check_loops(graph, report);
  check_finalised(program, report);
}

extern const Rule graph_grows_in_loop{
    .name = "graph-grows-in-loop",
    .summary = "Finds operations that are added to the graph while it is being run",
    .applies = "tf1",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check_graph<check>,
};

} // namespace faultline::rules
