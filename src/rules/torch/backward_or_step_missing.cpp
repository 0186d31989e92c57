#include "rules/facts.hpp"
#include "rules/gradients.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using Kind = Event::Kind;

static bool is_outermost(const TrainingLoop& loop)
{
  for (const Context* region = loop.loop->context->parent; region != nullptr;
       region = region->parent) {
    if (region->kind == Context::Kind::loop) {
      return false;
    }
  }
  return true;
}

static bool learns(const Program& program, const TrainingLoop& loop)
{
  for (size_t i = loop.rounds.front().first; i < loop.rounds.back().end; ++i) {
    const Call& call = program.calls()[i];
    if (call.has(program::k_learning) || call.op().starts_with("loss.")) {
      return true;
    }
  }
  return false;
}

// Gradients are read or written by hand.
static bool touches_gradients(const Program& program, const TrainingLoop& loop)
{
  for (size_t i = loop.rounds.front().first; i < loop.rounds.back().end; ++i) {
    const Call& call = program.calls()[i];
    if (call.name.ends_with(".grad") || call.is("grad_of")) {
      return true;
    }
    const Tensor* changed = changed_tensor(call);
    if (changed != nullptr && changed->leaf == program::Truth::yes) {
      return true;
    }
  }
  return false;
}

static void check_steps(Reporter& report, const TrainingLoop& loop)
{
  for (const Event& event : loop.events) {
    const bool has_arguments = event.call != nullptr && (event.call->given("closure") != nullptr ||
                                                         !event.call->surplus.empty());
    if (event.kind != Kind::update || !is_optimizer(event.object) || has_arguments) {
      continue;
    }
    report
        .add(event.span, "the optimizer makes steps but no gradient is ever computed in this loop")
        .label("changes nothing without gradients")
        .help("call `backward()` of the loss before `step()`");
  }
}

// An optimizer that could make the step; null if some step of it may be hidden somewhere.
static const Instance* idle_optimizer(const Program& program)
{
  const std::vector<Event> events = training_events(program, 0, program.calls().size());
  const Instance* idle = nullptr;
  for (const Event& event : events) {
    if (event.kind == Kind::update || (event.kind == Kind::helper && event.call != nullptr &&
                                       std::ranges::any_of(event.call->surplus, [](const auto& a) {
                                         return is_optimizer(a.value);
                                       }))) {
      return nullptr;
    }
  }
  for (const Instance* object : program.instances()) {
    if (object->api->role == program::Role::optimizer && object->made_by != nullptr &&
        object->api->name.starts_with("torch")) {
      idle = object;
    }
  }
  return idle;
}

static void check(const Program& program, Reporter& report)
{
  if (defines_optimizer(program)) {
    return;
  }
  const Instance* idle = idle_optimizer(program);
  for (const TrainingLoop& loop : training_loops(program)) {
    if (!is_outermost(loop) || has(loop.events, Kind::helper) || has(loop.events, Kind::stranger) ||
        !learns(program, loop) || touches_gradients(program, loop)) {
      continue;
    }
    const auto backward = std::ranges::find(loop.events, Kind::backward, &Event::kind);
    const bool writes_gradients = std::ranges::any_of(
        loop.events, [](const Event& e) { return e.kind == Kind::clear && e.call == nullptr; });
    if (backward == loop.events.end() && !writes_gradients) {
      check_steps(report, loop);
    } else if (backward != loop.events.end() && idle != nullptr) {
      report.add(backward->span, "gradients are computed but no optimizer ever makes a step")
          .label("nothing uses these gradients")
          .note(idle->made_by->span, "this optimizer is never asked to")
          .help("call `step()` of the optimizer after `backward()`");
    }
  }
}

extern const Rule backward_or_step_missing{
    .name = "backward-or-step-missing",
    .summary = "Finds training loops without backward or without a step of the optimizer",
    .applies = "torch",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
