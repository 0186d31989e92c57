#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using Kind = Event::Kind;

// Surely the gradients of this optimizer: it itself, or the only module it was given.
static bool surely_clears(const Program& program, const Event& event, Ref optimizer)
{
  if (event.object == optimizer && optimizer != nullptr) {
    return true;
  }
  const auto* stepped = program::as<Instance>(optimizer);
  if (stepped == nullptr || event.object == nullptr) {
    return false;
  }
  const Trained trained = trained_by(program, *stepped);
  return trained.modules.size() == 1 && trained.modules.front() == event.object;
}

// Clearing and computing change places.
static void
offer_fix(const Program& program, const Event& backward, const Event& clear, Draft& draft)
{
  if (backward.call->discarded && clear.call->discarded) {
    draft.replace(backward.span, std::string(program.text(clear.span)))
        .replace(clear.span, std::string(program.text(backward.span)))
        .unsafe("clear the gradients before they are computed");
  }
}

static void check_step(const Program& program,
                       Reporter& report,
                       const std::vector<Event>& events,
                       const Event& update)
{
  const Event* backward = nullptr;
  const Event* clear = nullptr;
  for (const Event& event : events) {
    if (event.order >= update.order) {
      break;
    }
    const bool is_computed =
        event.kind == Kind::backward || event.kind == Kind::helper || event.kind == Kind::stranger;
    if (is_computed) {
      backward = event.kind == Kind::backward ? &event : nullptr;
      clear = nullptr;
    } else if (event.kind == Kind::clear && event.call != nullptr && backward != nullptr &&
               surely_clears(program, event, update.object) &&
               happens_whenever(event.context, update.context)) {
      clear = &event;
    }
  }
  if (clear == nullptr) {
    return;
  }
  Draft& draft = report.add(clear->span, "gradients are cleared between `backward()` and `step()`")
                     .label("the step that follows finds no gradient")
                     .note(backward->span, "computed here")
                     .note(update.span, "used here")
                     .help("clear the gradients before `backward()` or after `step()`");
  offer_fix(program, *backward, *clear, draft);
}

static void check(const Program& program, Reporter& report)
{
  for (const TrainingLoop& loop : training_loops(program)) {
    for (const Round& round : loop.rounds) {
      const std::vector<Event> events = loop.events_of(round);
      for (const Event& update : events) {
        if (update.kind == Kind::update) {
          check_step(program, report, events, update);
        }
      }
    }
  }
}

extern const Rule gradients_cleared_before_step{
    .name = "gradients-cleared-before-step",
    .summary = "Finds zero_grad between backward and step, so that no step changes anything",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
