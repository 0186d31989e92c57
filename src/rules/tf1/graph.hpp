#pragma once

// TensorFlow 1 builds a graph and runs parts of it later. The interpreter records both as calls;
// this tells which calls are runs, what each of them needs, and in which session and graph it
// happens.

#include "rules/rule.hpp"

#include <string_view>
#include <unordered_set>
#include <vector>

namespace faultline::rules::tf1 {

using program::Context;
using program::Syntax;

// One entry of a feed_dict.
struct Feed {
  Ref placeholder;
  Ref value;
};

// The nodes that must be computed. `complete` is false if something on the way was not understood:
// then there may be more.
struct Needs {
  std::unordered_set<const Call*> calls;
  bool complete = true;
  bool has(const Call& call) const { return calls.contains(&call); }
};

// session.run, tensor.eval or operation.run.
struct Run {
  const Call* call = nullptr;
  const Instance* session = nullptr; // null if not known
  std::vector<Ref> fetches;          // lists taken apart
  bool fetches_known = true;
  std::vector<Feed> feeds;
  bool feeds_known = true;
  Needs needs; // of the fetches
};

class Graph {
public:
  explicit Graph(const Program& program);

  // Sessions are run, and nothing turned on eager execution.
  bool is_used() const { return m_used; }
  const Program& program() const { return m_program; }
  const std::vector<Run>& runs() const { return m_runs; }
  Needs needs_of(const std::vector<Ref>& values) const;

private:
  void read_run(const Call& call);
  const Instance* session_of(const Call& call) const;

  const Program& m_program;
  std::vector<Run> m_runs;
  std::vector<const Call*> m_summaries;
  std::vector<const Call*> m_losses;
  bool m_used = false;
  friend class Walk;
};

// A rule's check of a program that runs a graph.
template <void (*check_used)(const Graph&, Reporter&)>
void check_graph(const Program& program, Reporter& report)
{
  const Graph graph(program);
  if (graph.is_used()) {
    check_used(graph, report);
  }
}

// The earliest of the nodes for which the question is answered by yes; null if none.
template <typename Question> const Call* first_of(const Needs& needs, Question question)
{
  const Call* first = nullptr;
  for (const Call* call : needs.calls) {
    if (question(*call) && (first == nullptr || call->order < first->order)) {
      first = call;
    }
  }
  return first;
}

// The call that made a tensor, operation or object; null if none is known.
const Call* maker(Ref value);

// All values in lists, dicts and choices, the plain ones as they are.
void flatten(Ref value, std::vector<Ref>& out, bool& complete);

bool is_run(const Call& call); // session.run, tensor.eval, operation.run
bool is_tensor(Ref value);     // of TensorFlow, not a number or an array
// Makes a variable that needs an initial value: tf.Variable, get_variable, tf.layers.
bool makes_variables(const Call& call);
bool is_global_initialiser(const Call& call); // all variables, or listed ones
bool is_assignment(const Call& call);         // changes a variable when run
bool is_training(const Call& call);           // minimize, apply_gradients
bool adds_node(const Call& call);             // puts an operation into the graph
// A session that starts queues and initialises variables itself.
bool is_managed(const Instance* session);

// What made the session ready before a run.
struct Preparation {
  std::vector<const Call*> initialisers; // calls of which the results were run
  bool locals = false;                   // local variables too
  bool otherwise = false;                // restored, or handed to code that is not known
};
Preparation prepared_before(const Graph& graph, const Run& run);

// The graph that a call adds to, or a session runs: equal for equal graphs.
const void* graph_of(const Program& program, const Call& call);
const void* graph_of_session(const Program& program, const Instance& session);

// The loop around a call; null if none.
const Context* loop_of(const Call& call);
bool is_inside(const Context* context, const Syntax* statement);
// The calls are in branches of which only one is taken.
bool are_exclusive(const Call& a, const Call& b);

// Both happen in the same call of a function, or both outside of any.
bool are_in_one_function(const Call& a, const Call& b);

// The first line of a statement, for looking at what a loop counts.
std::string_view first_line(const Program& program, Span span);

} // namespace faultline::rules::tf1
