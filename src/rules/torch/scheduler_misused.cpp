#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using Kind = Event::Kind;
using program::as;

namespace {

const Context* loop_around(const Context* context)
{
  while (context != nullptr && context->kind != Context::Kind::loop) {
    context = context->parent;
  }
  return context;
}

void check_plateau(Reporter& report, const Call& call)
{
  if (call.name.ends_with("ReduceLROnPlateau.step") && call.given("metrics") == nullptr &&
      call.surplus.empty()) {
    report.add(call.span, "this scheduler needs the value that it watches")
        .help("pass the validation loss: `scheduler.step(loss)`")
        .severity(Severity::error);
  }
}

// OneCycleLR and CyclicLR count batches. Stepped once an epoch they never leave the warm-up.
void check_pace(Reporter& report, const std::vector<Event>& events, const Event& schedule)
{
  const auto* scheduler = as<Instance>(schedule.object);
  const bool counts_batches = scheduler != nullptr && scheduler->api != nullptr &&
                              (scheduler->api->op == "one_cycle" || scheduler->api->op == "cyclic");
  if (!counts_batches || scheduler->made_by == nullptr) {
    return;
  }
  const Context* round = loop_around(schedule.context);
  const auto update = std::ranges::find_if(events, [&](const Event& event) {
    return event.kind == Kind::update && is_inside(event.context, round);
  });
  if (round == nullptr || update == events.end() || loop_around(update->context) == round) {
    return;
  }
  report.add(schedule.span, "this scheduler counts batches but makes a step for each epoch only")
      .note(scheduler->made_by->span, "built here")
      .note(update->span, "the optimizer makes its steps in a loop further inside")
      .help("call it right after the step of the optimizer");
}

void check(const Program& program, Reporter& report)
{
  const std::vector<Event> events = training_events(program, 0, program.calls().size());
  for (const Event& event : events) {
    if (event.kind == Kind::schedule && event.call != nullptr && event.call->api != nullptr) {
      check_plateau(report, *event.call);
      check_pace(report, events, event);
    }
  }
}

} // namespace

extern const Rule scheduler_misused{
    .name = "scheduler-misused",
    .summary = "Finds schedulers without the metric they watch, or stepped at the wrong pace",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
