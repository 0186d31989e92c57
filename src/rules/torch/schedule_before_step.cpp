#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using Kind = Event::Kind;

static void check(const Program& program, Reporter& report)
{
  for (const TrainingLoop& loop : training_loops(program)) {
    // Before the first round nothing has been learned; later ones look alike.
    const std::vector<Event> events = loop.events_of(loop.rounds.front());
    const auto first = std::ranges::find_if(events, [](const Event& event) {
      return event.kind == Kind::schedule || event.kind == Kind::update ||
             event.kind == Kind::helper;
    });
    if (first == events.end() || first->kind != Kind::schedule || first->call == nullptr ||
        first->call->given("epoch") != nullptr) {
      continue;
    }
    const auto update = std::find_if(
        first, events.end(), [](const Event& event) { return event.kind == Kind::update; });
    if (update == events.end() || !happens_whenever(first->context, update->context)) {
      continue;
    }
    report.add(first->span, "the scheduler makes its step before the optimizer")
        .label("the first learning rate is never used")
        .note(update->span, "the optimizer makes its step here")
        .help("call `step()` of the scheduler after that of the optimizer");
  }
}

extern const Rule schedule_before_step{
    .name = "schedule-before-step",
    .summary = "Finds schedulers that step before the optimizer",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
