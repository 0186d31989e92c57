#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using Kind = Event::Kind;

static bool computes(const Event& event)
{
  return event.kind == Kind::backward || event.kind == Kind::helper || event.kind == Kind::stranger;
}

// Some gradient was computed earlier in the same function, before the loop.
static bool is_prepared(const Program& program, const Round& round)
{
  const Context* function = function_around(round.context);
  return std::ranges::any_of(training_events(program, 0, round.first), [&](const Event& event) {
    return computes(event) && function_around(event.context) == function &&
           !is_inside(event.context, round.context->parent);
  });
}

static void check_round(const Program& program,
                        Reporter& report,
                        const std::vector<Event>& events,
                        const Round& round)
{
  const auto first = std::ranges::find_if(
      events, [](const Event& event) { return event.kind == Kind::update || computes(event); });
  if (first == events.end() || first->kind != Kind::update || !first->call->surplus.empty() ||
      first->call->given("closure") != nullptr) {
    return;
  }
  const auto backward = std::find_if(
      first, events.end(), [](const Event& event) { return event.kind == Kind::backward; });
  // A later step belongs to the gradient; this one may be another network's.
  const bool steps_again =
      backward != events.end() && std::any_of(backward, events.end(), [&](const Event& event) {
        return event.kind == Kind::update && event.object == first->object;
      });
  if (backward == events.end() || steps_again ||
      !happens_whenever(first->context, backward->context) ||
      !happens_whenever(backward->context, first->context) || is_prepared(program, round)) {
    return;
  }
  Draft& draft =
      report.add(first->span, "the optimizer makes its step before the gradient is known")
          .note(backward->span, "the gradient of this round is computed here")
          .help("call `backward()` first, then `step()`");
  if (first->call->discarded && backward->call->discarded) {
    draft.replace(first->span, std::string(program.text(backward->span)))
        .replace(backward->span, std::string(program.text(first->span)))
        .unsafe("compute the gradient first");
  }
}

static void check(const Program& program, Reporter& report)
{
  if (defines_optimizer(program)) {
    return;
  }
  for (const TrainingLoop& loop : training_loops(program)) {
    // In the first round nothing is left over from rounds before.
    const Round& round = loop.rounds.front();
    check_round(program, report, loop.events_of(round), round);
  }
}

extern const Rule step_before_backward{
    .name = "step-before-backward",
    .summary = "Finds optimizers that step before the gradient is computed",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
