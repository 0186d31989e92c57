#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using Kind = Event::Kind;

static bool takes_closure(const Event& update)
{
  const Call& call = *update.call;
  return call.given("closure") != nullptr || (call.api == nullptr && !call.surplus.empty());
}

// A fresh optimizer in each round comes with fresh weights, as a rule.
static bool is_made_inside(Ref optimizer, const TrainingLoop& loop)
{
  const auto* object = program::as<Instance>(optimizer);
  return object != nullptr && object->made_by != nullptr &&
         object->made_by->order >= loop.rounds.front().first;
}

static void
offer_fix(const Program& program, const Event& backward, const Event& update, Draft& draft)
{
  const std::string_view callee = program.text(update.call->callee);
  const auto margin = indentation(program, backward.span);
  if (margin && update.call->is("optimizer_step") && is_optimizer(update.call->self) &&
      callee.ends_with(".step")) {
    const std::string_view object = callee.substr(0, callee.size() - 5);
    draft.insert(backward.span, format("{}.zero_grad()\n{}", object, *margin))
        .unsafe("clear the gradients first");
  }
}

static void check(const Program& program, Reporter& report)
{
  if (defines_optimizer(program)) {
    return;
  }
  for (const TrainingLoop& loop : training_loops(program)) {
    if (has(loop.events, Kind::helper)) {
      continue;
    }
    for (const Event& update : loop.events) {
      if (update.kind != Kind::update || takes_closure(update) || !loop.is_innermost_for(update) ||
          is_made_inside(update.object, loop)) {
        continue;
      }
      const auto backward = std::ranges::find(loop.events, Kind::backward, &Event::kind);
      const bool is_cleared = std::ranges::any_of(loop.events, [&](const Event& event) {
        return may_clear(program, event, update.object);
      });
      if (backward == loop.events.end() || is_cleared) {
        continue;
      }
      Draft& draft = report.add(backward->span, "gradients add up over all rounds of the loop")
                         .label("adds to the gradients of the rounds before")
                         .note(update.span, "the step uses their sum")
                         .help("call `zero_grad()` of the optimizer once for each step");
      offer_fix(program, *backward, update, draft);
    }
  }
}

extern const Rule gradients_never_cleared{
    .name = "gradients-never-cleared",
    .summary = "Finds training loops that never reset the gradients",
    .applies = "torch",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
