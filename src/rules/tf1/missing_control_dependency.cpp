#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

#include <algorithm>

namespace faultline::rules {

using namespace tf1;

namespace {

bool is_false(Ref value)
{
  const auto* constant = program::as<program::Constant>(value);
  const auto* flag = constant != nullptr ? std::get_if<bool>(&constant->value) : nullptr;
  return flag != nullptr && !*flag;
}

// --- Moving averages of batch normalisation. ---

// Its averages are updated by operations in the collection UPDATE_OPS.
bool collects_updates(const Call& call)
{
  if (!call.is("batch_norm") || !call.name.starts_with("tensorflow.")) {
    return false;
  }
  for (const std::string_view name : {"training", "is_training"}) {
    const program::Argument* mode = call.argument(name);
    if (mode != nullptr && is_false(mode->value)) {
      return false;
    }
  }
  const program::Argument* updates = call.keyword("updates_collections");
  updates = updates == nullptr ? call.given("updates_collections") : updates;
  return updates == nullptr || updates->value->kind != program::Kind::none;
}

bool reads_updates(const Program& program)
{
  for (const program::NameUse& use : program.name_uses()) {
    for (const std::string_view name : {"UPDATE_OPS", "create_train_op", "optimize_loss"}) {
      if (use.path.find(name) != std::string::npos) {
        return true;
      }
    }
  }
  return std::ranges::any_of(program.calls(), [](const Call& call) {
    const auto* key = program::as<program::Constant>(call.arg("key"));
    const auto* text = key != nullptr ? std::get_if<std::string>(&key->value) : nullptr;
    return call.is("get_collection") &&
           (text == nullptr
                ? call.arg("key") != nullptr && call.arg("key")->kind == program::Kind::unknown
                : *text == "update_ops");
  });
}

void check_updates(const Graph& graph, Reporter& report)
{
  if (reads_updates(graph.program())) {
    return;
  }
  for (const Call& call : graph.program().calls()) {
    if (!is_training(call)) {
      continue;
    }
    const Needs needs = graph.needs_of({call.arg("loss"), call.arg("grads_and_vars")});
    if (const Call* norm = first_of(needs, collects_updates)) {
      report.add(call.span, "trains without updating the averages of the batch normalisation")
          .note(norm->span, "its updates are collected in `tf.GraphKeys.UPDATE_OPS`")
          .help("make the step under `with tf.control_dependencies(tf.get_collection("
                "tf.GraphKeys.UPDATE_OPS)):`")
          .cause(&call);
    }
  }
}

// --- Assignments in one run, of which one reads what the other writes. ---

Ref target_of(const Call& assignment)
{
  return assignment.self != nullptr && program::as<Tensor>(assignment.self) != nullptr
             ? assignment.self
             : assignment.arg("ref");
}

void check_race(const Graph& graph, const Run& run, Reporter& report)
{
  std::vector<const Call*> assignments;
  for (const Ref fetch : run.fetches) {
    const Call* made = maker(fetch);
    if (made != nullptr && is_assignment(*made)) {
      assignments.push_back(made);
    }
  }
  for (const Call* writer : assignments) {
    const Call* variable = maker(target_of(*writer));
    for (const Call* reader : assignments) {
      const Needs value = graph.needs_of({reader->arg("value")});
      if (reader == writer || variable == nullptr || !value.has(*variable) ||
          graph.needs_of({reader->result}).has(*writer) ||
          graph.needs_of({writer->result}).has(*reader)) {
        continue;
      }
      report.add(run.call->span, "runs assignments of which one reads what another writes")
          .label("their order is not defined, and so is the result")
          .note(writer->span, "writes a variable")
          .note(reader->span, "reads the same variable")
          .help("order them with `tf.control_dependencies`, or run them one after the other")
          .severity(Severity::error)
          .type("api/wrong-api-usage")
          .cause(run.call->context->syntax);
      return;
    }
  }
}

// --- A branch of tf.cond that waits for an operation made outside of it. ---

// The region of the branch function that the call is in; null if none.
const Context* branch_of(const Program& program, const Call& call)
{
  for (const Context* context = call.context; context != nullptr; context = context->parent) {
    if (context->kind != Context::Kind::function) {
      continue;
    }
    for (const Call& cond : program.calls()) {
      if (cond.name != "tensorflow.cond" || cond.span != context->span) {
        continue;
      }
      for (const program::Argument& argument : cond.arguments) {
        const auto* bound = program::as<program::Bound>(argument.value);
        const Ref function = bound != nullptr ? bound->function : argument.value;
        if (function == context->subject) {
          return context;
        }
      }
    }
  }
  return nullptr;
}

void check_branch(const Program& program, const Call& scope, Reporter& report)
{
  const Context* branch = branch_of(program, scope);
  const program::Argument* inputs = scope.argument("control_inputs");
  if (branch == nullptr || inputs == nullptr) {
    return;
  }
  std::vector<Ref> operations;
  bool complete = true;
  flatten(inputs->value, operations, complete);
  for (const Ref operation : operations) {
    const Call* made = maker(operation);
    const bool has_effect = made != nullptr && (is_assignment(*made) || made->is("moving_average"));
    if (has_effect && !is_inside(made->context, branch->syntax)) {
      report.add(inputs->span, "an operation made outside of the branch runs whichever is taken")
          .note(made->span, "made here")
          .help("make the operation inside of the branch function")
          .severity(Severity::error)
          .type("api/wrong-api-usage")
          .cause(made);
      return;
    }
  }
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  const Graph graph(program);
  check_updates(graph, report);
  for (const Call& call : program.calls()) {
    if (call.is("control_dependencies")) {
      check_branch(program, call, report);
    }
  }
  for (const Run& run : graph.runs()) {
    check_race(graph, run, report);
  }
}

extern const Rule missing_control_dependency{
    .name = "missing-control-dependency",
    .summary = "Finds operations that are not run when they should be: updates of batch "
               "normalisation, assignments without an order",
    .applies = "tf1",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
