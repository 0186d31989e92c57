#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using Kind = Event::Kind;

namespace {

bool is_before(const std::vector<Event>& events, const Event& event, Kind kind)
{
  return std::ranges::any_of(
      events, [&](const Event& other) { return other.kind == kind && other.order < event.order; });
}

bool is_after(const std::vector<Event>& events, const Event& event, Kind kind)
{
  return std::ranges::any_of(
      events, [&](const Event& other) { return other.kind == kind && other.order > event.order; });
}

void check_clip(Reporter& report, const std::vector<Event>& events, const Event& clip)
{
  if (!is_before(events, clip, Kind::backward) && is_after(events, clip, Kind::backward)) {
    report.add(clip.span, "gradients are clipped before they are computed")
        .help("clip between `backward()` and `step()`");
  } else if (is_before(events, clip, Kind::update) && !is_after(events, clip, Kind::update)) {
    report.add(clip.span, "gradients are clipped after the step that uses them")
        .help("clip between `backward()` and `step()`");
  }
}

// Mixed precision: gradients are those of a scaled loss until the scaler undoes it.
void check_scaling(const Program& program,
                   Reporter& report,
                   const TrainingLoop& loop,
                   const std::vector<Event>& events,
                   const Round& round)
{
  const Call* scale = nullptr;
  bool is_updated = false;
  for (size_t i = loop.rounds.front().first; i < loop.rounds.back().end; ++i) {
    const Call& call = program.calls()[i];
    is_updated = is_updated || call.name.ends_with("GradScaler.update");
    if (call.is("scale_loss") && is_inside(call.context, round.context)) {
      scale = &call;
    }
  }
  if (scale == nullptr) {
    return;
  }
  const bool is_unscaled = has(events, Kind::unscale);
  for (const Event& event : events) {
    if (event.kind == Kind::clip && !is_before(events, event, Kind::unscale)) {
      report.add(event.span, "gradients of a scaled loss are clipped")
          .note(scale->span, "scaled here")
          .help("call `scaler.unscale_(optimizer)` first");
    }
    if (event.kind != Kind::update || event.call->api == nullptr) {
      continue;
    }
    const bool by_scaler = event.call->name.ends_with("GradScaler.step");
    if (!by_scaler && !is_unscaled) {
      report.add(event.span, "the optimizer uses the gradients of a scaled loss")
          .note(scale->span, "scaled here")
          .help("let the scaler do it: `scaler.step(optimizer)`");
    } else if (by_scaler && !is_updated) {
      report.add(event.span, "the scaler is never updated in this loop")
          .help("call `scaler.update()` after `scaler.step(optimizer)`");
    }
  }
}

void check(const Program& program, Reporter& report)
{
  for (const TrainingLoop& loop : training_loops(program)) {
    for (const Round& round : loop.rounds) {
      const std::vector<Event> events = loop.events_of(round);
      if (has(events, Kind::helper) || !has(events, Kind::backward) || !has(events, Kind::update)) {
        continue;
      }
      for (const Event& event : events) {
        if (event.kind == Kind::clip && loop.is_innermost_for(event)) {
          check_clip(report, events, event);
        }
      }
      check_scaling(program, report, loop, events, round);
    }
  }
}

} // namespace

extern const Rule gradient_clipping_order{
    .name = "gradient-clipping-order",
    .summary = "Finds clipping and loss scaling in the wrong place of the training step",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .status = Status::preview,
    .check = check,
};

} // namespace faultline::rules
