#include "rules/tf1/graph.hpp"

#include "program/names/api.hpp"
#include "program/values/walk.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace faultline::rules::tf1 {

using program::as;
using program::Library;
using program::Role;

const Call* maker(Ref value)
{
  if (const auto* tensor = as<Tensor>(value)) {
    return tensor->producer;
  }
  const auto* object = as<Instance>(value);
  return object != nullptr ? object->made_by : nullptr;
}

bool is_run(const Call& call)
{
  return call.is("session_run") || call.name == "tensorflow.Tensor.eval";
}

bool is_tensor(Ref value)
{
  const auto* tensor = as<Tensor>(value);
  return tensor != nullptr &&
         (tensor->library == Library::tensorflow || tensor->library == Library::keras);
}

void flatten(Ref value, std::vector<Ref>& out, bool& complete)
{
  program::walk(
      value,
      true,
      [&](Ref one, auto& into) {
        if (const auto* list = as<program::Sequence>(one)) {
          std::ranges::for_each(list->items, std::ref(into));
          if (list->open) {
            complete = false;
            into(list->rest);
          }
        } else if (const auto* dict = as<program::Dict>(one)) {
          for (const auto& [key, item] : dict->items) {
            into(item);
          }
          complete = complete && !dict->open;
        } else if (const auto* choice = as<program::Choice>(one)) {
          std::ranges::for_each(choice->options, std::ref(into));
        } else {
          complete = complete && one->kind != program::Kind::unknown;
          out.push_back(one);
        }
        return true;
      },
      program::Again::visit);
}

bool makes_variables(const Call& call)
{
  return call.is("variable") || (call.has(program::k_learning) && call.api != nullptr &&
                                 call.api->role == Role::layer_function);
}

bool is_global_initialiser(const Call& call)
{
  return call.is("initialize_variables") && call.name.find("local") == std::string::npos;
}

bool is_assignment(const Call& call)
{
  const std::string_view name = std::string_view(call.name).substr(call.name.rfind('.') + 1);
  return call.name.starts_with("tensorflow.") &&
         (name.starts_with("assign") || name.starts_with("scatter_"));
}

bool is_training(const Call& call)
{
  return call.is("minimize") || call.is("apply_gradients");
}

bool adds_node(const Call& call)
{
  if (is_run(call) || call.in_library_model) {
    return false;
  }
  if (const auto* made = as<Instance>(call.result)) {
    return made->made_by == &call && made->api != nullptr && made->api->op == "operation";
  }
  const auto* result = as<Tensor>(call.result);
  return result != nullptr && result->producer == &call && result->library == Library::tensorflow;
}

bool is_managed(const Instance* session)
{
  const Call* made = session != nullptr ? session->made_by : nullptr;
  return made != nullptr && made->name != "tensorflow.Session" &&
         made->name != "tensorflow.InteractiveSession";
}

static bool is_graph(const Instance& object)
{
  return object.api != nullptr && object.api->op == "graph" && object.made_by != nullptr &&
         object.made_by->name == "tensorflow.Graph";
}

const void* graph_of(const Program& program, const Call& call)
{
  for (const Context* context = call.context; context != nullptr; context = context->parent) {
    const auto* object = as<Instance>(context->subject);
    if (context->kind == Context::Kind::with && object != nullptr && is_graph(*object)) {
      return object;
    }
  }
  const Call* reset = nullptr;
  for (const Call& other : program.calls()) {
    if (other.order >= call.order) {
      break;
    }
    if (other.is("reset_graph")) {
      reset = &other;
    }
  }
  return reset;
}

const void* graph_of_session(const Program& program, const Instance& session)
{
  if (session.made_by == nullptr) {
    return nullptr;
  }
  const auto* graph = as<Instance>(session.made_by->arg("graph"));
  return graph != nullptr ? graph : graph_of(program, *session.made_by);
}

const Context* loop_of(const Call& call)
{
  return call.within(Context::Kind::loop);
}

bool is_inside(const Context* context, const Syntax* statement)
{
  for (; context != nullptr; context = context->parent) {
    if (context->syntax == statement) {
      return true;
    }
  }
  return false;
}

bool are_exclusive(const Call& a, const Call& b)
{
  for (const Context* x = a.context; x != nullptr; x = x->parent) {
    if (x->kind != Context::Kind::branch) {
      continue;
    }
    for (const Context* y = b.context; y != nullptr; y = y->parent) {
      if (y->kind == Context::Kind::branch && y->syntax == x->syntax && y->parent == x->parent &&
          y->iteration != x->iteration) {
        return true;
      }
    }
  }
  return false;
}

static const Context* function_of(const Call& call)
{
  return call.within(Context::Kind::function);
}

bool are_in_one_function(const Call& a, const Call& b)
{
  return function_of(a) == function_of(b);
}

std::string_view first_line(const Program& program, Span span)
{
  const std::string_view text = program.text(span);
  return text.substr(0, text.find('\n'));
}

// --- Needs. ---

// The result of a run is an array; a shape that is known, and a value that is there before any
// variable, need nothing.
static bool is_end(const Call& call)
{
  return is_run(call) || call.name.ends_with(".initialized_value") ||
         call.name == "tensorflow.shape" || call.name == "tensorflow.zeros_like" ||
         call.name == "tensorflow.ones_like";
}

class Walk {
public:
  explicit Walk(const Graph& graph) : m_graph(graph) {}

  void value(Ref value)
  {
    std::vector<Ref> plain;
    bool complete = true;
    flatten(value, plain, complete);
    m_needs.complete = m_needs.complete && complete;
    for (const Ref one : plain) {
      if (const auto* tensor = as<Tensor>(one)) {
        this->tensor(*tensor);
      } else if (const auto* object = as<Instance>(one); object != nullptr) {
        visit(object->made_by);
      }
    }
    drain();
  }

  Needs take() { return std::move(m_needs); }

private:
  void tensor(const Tensor& tensor)
  {
    const bool is_array = tensor.library == Library::numpy || tensor.library == Library::pandas;
    if (is_array) {
      return;
    }
    m_needs.complete = m_needs.complete && tensor.producer != nullptr;
    visit(tensor.producer);
  }

  void visit(const Call* call)
  {
    if (call != nullptr && m_needs.calls.insert(call).second) {
      m_open.push_back(call);
    }
  }

  void drain()
  {
    while (!m_open.empty()) {
      const Call& call = *m_open.back();
      m_open.pop_back();
      if (is_end(call)) {
        continue;
      }
      m_needs.complete = m_needs.complete && call.api != nullptr && !call.is("get_collection");
      argument(call.self);
      for (const std::vector<program::Argument>* list : {&call.arguments, &call.surplus}) {
        for (const program::Argument& one : *list) {
          argument(one.value);
        }
      }
      collections(call);
      dependencies(call);
    }
  }

  // Sizes and options may be unknown; they are no nodes.
  void argument(Ref value)
  {
    std::vector<Ref> plain;
    bool ignored = true;
    flatten(value, plain, ignored);
    for (const Ref one : plain) {
      if (const auto* found = as<Tensor>(one)) {
        tensor(*found);
      } else if (const auto* object = as<Instance>(one); object != nullptr) {
        visit(object->made_by);
      }
    }
  }

  void collections(const Call& call)
  {
    const std::vector<const Call*>* all = call.is("merge_all_summaries") ? &m_graph.m_summaries
                                          : call.is("total_loss")        ? &m_graph.m_losses
                                                                         : nullptr;
    if (all == nullptr) {
      return;
    }
    for (const Call* member : *all) {
      if (member->order < call.order &&
          graph_of(m_graph.m_program, *member) == graph_of(m_graph.m_program, call)) {
        visit(member);
      }
    }
  }

  void dependencies(const Call& call)
  {
    for (const Context* context = call.context; context != nullptr; context = context->parent) {
      const auto* scope = as<Instance>(context->subject);
      if (context->kind == Context::Kind::with && scope != nullptr && scope->made_by != nullptr &&
          scope->made_by->is("control_dependencies")) {
        argument(scope->made_by->arg("control_inputs"));
      }
    }
  }

  const Graph& m_graph;
  Needs m_needs;
  std::vector<const Call*> m_open;
};

Needs Graph::needs_of(const std::vector<Ref>& values) const
{
  Walk walk(*this);
  for (const Ref value : values) {
    walk.value(value);
  }
  return walk.take();
}

// --- Runs. ---

const Instance* Graph::session_of(const Call& call) const
{
  const auto is_session = [](const Instance* object) {
    return object != nullptr && object->api != nullptr && object->api->op == "session";
  };
  if (const auto* self = as<Instance>(call.self); is_session(self)) {
    return self;
  }
  if (const auto* given = as<Instance>(call.arg("session")); is_session(given)) {
    return given;
  }
  for (const Context* context = call.context; context != nullptr; context = context->parent) {
    const auto* object = as<Instance>(context->subject);
    if (context->kind == Context::Kind::with && is_session(object)) {
      return object;
    }
  }
  // An InteractiveSession is the default from its making on.
  const Instance* last = nullptr;
  for (const Call& other : m_program.calls()) {
    if (other.order < call.order && other.name == "tensorflow.InteractiveSession") {
      last = as<Instance>(other.result);
    }
  }
  return last;
}

void Graph::read_run(const Call& call)
{
  Run run;
  run.call = &call;
  run.session = session_of(call);
  const Ref fetches = call.arg("fetches");
  flatten(fetches != nullptr ? fetches : call.self, run.fetches, run.fetches_known);
  const program::Argument* given = call.given("feed_dict");
  if (given != nullptr && given->value->kind != program::Kind::none) {
    const auto* feeds = as<program::Dict>(given->value);
    run.feeds_known = feeds != nullptr && !feeds->open;
    if (feeds != nullptr) {
      for (const auto& [key, value] : feeds->items) {
        run.feeds.push_back({key, value});
      }
    }
  }
  m_runs.push_back(std::move(run));
}

Graph::Graph(const Program& program) : m_program(program)
{
  bool is_eager = false;
  for (const Call& call : program.calls()) {
    if (is_run(call)) {
      read_run(call);
    } else if (call.is("summary")) {
      m_summaries.push_back(&call);
    } else if (call.name.starts_with("tensorflow.losses.") && !call.is("total_loss")) {
      m_losses.push_back(&call);
    }
    is_eager = is_eager || call.name == "tensorflow.enable_eager_execution" ||
               call.name == "tensorflow.enable_v2_behavior";
  }
  m_used = !m_runs.empty() && !is_eager;
  for (Run& run : m_runs) {
    run.needs = needs_of(run.fetches);
  }
}

// --- What a session was prepared by. ---

// Some other code got the session and may do anything with it.
static bool is_handed_out(const Program& program, const Instance& session, size_t before)
{
  for (const Call& call : program.calls()) {
    if (call.order >= before) {
      break;
    }
    if (is_run(call) || call.is("save") || call.is("start_queues") || call.self == &session) {
      continue;
    }
    for (const std::vector<program::Argument>* list : {&call.arguments, &call.surplus}) {
      for (const program::Argument& argument : *list) {
        if (argument.value == &session) {
          return true;
        }
      }
    }
  }
  return false;
}

Preparation prepared_before(const Graph& graph, const Run& run)
{
  Preparation result;
  for (const Run& earlier : graph.runs()) {
    if (earlier.call->order >= run.call->order) {
      break;
    }
    if (earlier.session != run.session && earlier.session != nullptr && run.session != nullptr) {
      continue;
    }
    result.otherwise = result.otherwise || !earlier.fetches_known;
    for (const Call* call : earlier.needs.calls) {
      if (is_global_initialiser(*call)) {
        result.initialisers.push_back(call);
      }
      result.locals = result.locals || call->is("initialize_variables");
      result.otherwise =
          result.otherwise || is_assignment(*call) ||
          (call->name.ends_with(".initializer") && !call->name.starts_with("tensorflow.data.")) ||
          call->api == nullptr;
    }
  }
  for (const Call& call : graph.program().calls()) {
    if (call.order < run.call->order && call.is("restore")) {
      result.otherwise = true;
    }
  }
  result.otherwise =
      result.otherwise ||
      (run.session != nullptr && is_handed_out(graph.program(), *run.session, run.call->order));
  return result;
}

} // namespace faultline::rules::tf1
