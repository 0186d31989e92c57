#include "rules/facts.hpp"
#include "rules/gradients.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>
#include <set>

namespace faultline::rules {

using program::as;
using program::Truth;

namespace {

struct Facts {
  const Program& program;
  std::unordered_set<const Call*> trained;
  std::set<Span> trained_places;
  std::unordered_set<const Tensor*> losses; // on which backward() is called
};

Facts facts_of(const Program& program)
{
  const History history(program);
  Facts facts{program, trained_calls(program, history), {}, {}};
  for (const Call* call : facts.trained) {
    facts.trained_places.insert(call->span);
  }
  for (const Event& event : training_events(program, 0, program.calls().size())) {
    if (event.kind == Event::Kind::backward) {
      if (const auto* loss = as<Tensor>(event.object)) {
        facts.losses.insert(loss);
      }
    }
  }
  return facts;
}

bool carries_graph(const Tensor* tensor)
{
  return tensor != nullptr && tensor->requires_grad == Truth::yes && tensor->leaf != Truth::yes;
}

// The part of a sum that is new in this round, if the rest is what the same place gave in the round
// before; null if it is no running sum.
const Tensor* added(const Call& call)
{
  const std::vector<Tensor*> inputs = call.inputs();
  if (!call.is("add") || inputs.size() != 2 || call.within(Context::Kind::loop) == nullptr) {
    return nullptr;
  }
  for (size_t i = 0; i < 2; ++i) {
    const Call* before = inputs[i]->producer;
    if (before != nullptr && before != &call && before->span == call.span) {
      return inputs[1 - i];
    }
  }
  return nullptr;
}

void report_at(Reporter& report, Span span, Span term, std::string_view what)
{
  report.add(span, format("{} keeps the graph of every round", what))
      .note(term, "this still carries its graph")
      .help("take the number with `.item()`, or `.detach()` the tensor first");
}

void check_sum(const Facts& facts, Reporter& report, const Call& call)
{
  const Tensor* term = added(call);
  if (!carries_graph(term) || !carries_graph(as<Tensor>(call.result)) ||
      facts.trained_places.contains(call.span)) {
    return;
  }
  const bool is_done_with = term->producer != nullptr && facts.trained.contains(term->producer);
  if (is_done_with || is_evaluation(facts.program, call.context)) {
    report_at(report, call.span, term->origin, "the running sum");
  }
}

// The same list gets a loss that was differentiated already, in more than one round.
void check_list(const Facts& facts, Reporter& report, const Call& call)
{
  const auto* term = !call.arguments.empty() ? as<Tensor>(call.arguments.front().value) : nullptr;
  if (call.name != "builtins.list.append" || !carries_graph(term) || !facts.losses.contains(term)) {
    return;
  }
  const bool is_kept = std::ranges::any_of(facts.program.calls(), [&call](const Call& other) {
    return &other != &call && other.name == call.name && other.span == call.span &&
           other.self == call.self;
  });
  if (is_kept) {
    report_at(report, call.arguments.front().span, term->origin, "the list");
  }
}

void check(const Program& program, Reporter& report)
{
  const Facts facts = facts_of(program);
  for (const Call& call : program.calls()) {
    check_sum(facts, report, call);
    check_list(facts, report, call);
  }
}

} // namespace

extern const Rule graph_kept_across_iterations{
    .name = "graph-kept-across-iterations",
    .summary = "Finds losses that are summed or collected together with their graphs",
    .applies = "torch",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
