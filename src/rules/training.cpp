#include "rules/training.hpp"

#include "program/names/api.hpp"
#include "rules/modules.hpp"

#include <algorithm>
#include <cctype>

namespace faultline::rules {

using program::Argument;
using program::as;
using Kind = Event::Kind;

static std::string lower(std::string_view text)
{
  std::string made(text);
  std::ranges::transform(made, made.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return made;
}

static bool mentions(std::string_view text, std::initializer_list<std::string_view> words)
{
  const std::string whole = lower(text);
  return std::ranges::any_of(
      words, [&](std::string_view word) { return whole.find(word) != std::string::npos; });
}

// A method of an object that is not known: what it is called on has to speak for it.
static Event::Kind kind_of_unknown_step(const Program& program, const Call& call)
{
  const std::string_view callee = program.text(call.callee);
  const std::string_view object = callee.substr(0, callee.rfind('.'));
  return mentions(object, {"sched", "warmup"}) ? Kind::schedule
         : mentions(object, {"opt"})           ? Kind::update
                                               : Kind::helper;
}

static bool any_argument(const Call& call, bool (*is)(Ref))
{
  const auto holds = [is](const Argument& argument) { return is(argument.value); };
  return std::ranges::any_of(call.arguments, holds) || std::ranges::any_of(call.surplus, holds);
}

static bool matters_for_training(Ref value)
{
  return is_optimizer(value) || is_module(value) || as<program::Function>(value) != nullptr ||
         as<program::Bound>(value) != nullptr;
}

static bool may_carry_gradient(Ref value)
{
  const auto* tensor = as<Tensor>(value);
  return value->kind == program::Kind::unknown ||
         (tensor != nullptr && tensor->requires_grad != program::Truth::no);
}

static std::optional<Event::Kind> kind_of_unknown(const Program& program, const Call& call)
{
  const std::string_view name = call.name;
  const std::string_view method = name.substr(name.rfind('.') + 1);
  if (name.starts_with("?.")) {
    if (method == "backward" || method == "manual_backward") {
      return Kind::backward;
    }
    if (method == "zero_grad" || method == "zero_" || method == "clear_grad") {
      return Kind::clear;
    }
    if (method == "step") {
      return kind_of_unknown_step(program, call);
    }
    if (mentions(method,
                 {"train", "step", "update", "optim", "learn", "fit", "backward", "grad"})) {
      return Kind::helper;
    }
  }
  if (any_argument(call, matters_for_training) || mentions(method, {"train", "step", "optim"})) {
    return Kind::helper;
  }
  if (any_argument(call, may_carry_gradient)) {
    return name.starts_with("?.") ? std::nullopt : std::optional(Kind::stranger);
  }
  return std::nullopt;
}

static std::optional<Event::Kind> kind_of(const Program& program, const Call& call)
{
  if (call.api == nullptr) {
    return kind_of_unknown(program, call);
  }
  if (call.is("backward")) {
    return Kind::backward;
  }
  if (call.is("optimizer_step")) {
    return Kind::update;
  }
  if (call.is("zero_grad") || call.name.ends_with(".zero_")) {
    return Kind::clear;
  }
  if (call.is("scheduler_step")) {
    return Kind::schedule;
  }
  if (call.is("clip_gradients")) {
    return Kind::clip;
  }
  if (call.name.ends_with(".unscale_")) {
    return Kind::unscale;
  }
  return call.is("grad_of") ? std::optional(Kind::stranger) : std::nullopt;
}

// scaler.step(optimizer) is a step of the optimizer.
static Ref object_of(const Call& call, Event::Kind kind)
{
  if (kind == Kind::update || kind == Kind::unscale) {
    for (const auto* list : {&call.arguments, &call.surplus}) {
      for (const Argument& argument : *list) {
        if (is_optimizer(argument.value)) {
          return argument.value;
        }
      }
    }
  }
  if (kind == Kind::backward && as<Tensor>(call.self) == nullptr) {
    return call.input();
  }
  return call.self;
}

std::vector<Event> training_events(const Program& program, size_t first, size_t end)
{
  std::vector<Event> events;
  for (size_t i = first; i < end; ++i) {
    const Call& call = program.calls()[i];
    if (const std::optional<Kind> kind = kind_of(program, call)) {
      events.push_back({.kind = *kind,
                        .call = &call,
                        .object = object_of(call, *kind),
                        .context = call.context,
                        .order = call.order,
                        .span = call.span});
    }
  }
  for (const program::Store& store : program.stores()) {
    if (store.name == "grad" && store.order >= first && store.order < end) {
      events.push_back({.kind = Kind::clear,
                        .context = store.context,
                        .order = store.order,
                        .span = store.span});
    }
  }
  std::ranges::stable_sort(events, {}, &Event::order);
  return events;
}

bool has(const std::vector<Event>& events, Event::Kind kind)
{
  return std::ranges::find(events, kind, &Event::kind) != events.end();
}

std::vector<Event> TrainingLoop::events_of(const Round& round) const
{
  std::vector<Event> found;
  std::ranges::copy_if(events, std::back_inserter(found), [&round](const Event& event) {
    return is_inside(event.context, round.context);
  });
  return found;
}

bool TrainingLoop::is_innermost_for(const Event& update) const
{
  for (const Context* region = update.context; region != nullptr; region = region->parent) {
    if (region->kind != Context::Kind::loop) {
      continue;
    }
    if (std::ranges::any_of(rounds, [region](const Round& r) { return r.context == region; })) {
      return true;
    }
    if (std::ranges::any_of(events, [region](const Event& event) {
          return event.kind == Kind::backward && is_inside(event.context, region);
        })) {
      return false;
    }
  }
  return false;
}

std::vector<TrainingLoop> training_loops(const Program& program)
{
  std::vector<TrainingLoop> found;
  for (const program::Loop& loop : program.loops()) {
    TrainingLoop made{.loop = &loop, .rounds = rounds_of(program, loop), .events = {}};
    if (made.rounds.empty()) {
      continue;
    }
    made.events = training_events(program, made.rounds.front().first, made.rounds.back().end);
    if (has(made.events, Kind::backward) || has(made.events, Kind::update)) {
      found.push_back(std::move(made));
    }
  }
  return found;
}

bool defines_optimizer(const Program& program)
{
  return std::ranges::any_of(program.classes(), [](const program::Class* klass) {
    return klass->api_base != nullptr && klass->api_base->role == program::Role::optimizer;
  });
}

static bool gives_parameters(const Call& call)
{
  return call.api != nullptr && is_module(call.self) &&
         (call.name.ends_with(".parameters") || call.name.ends_with(".named_parameters"));
}

// The calls of parameters() that an optimizer's argument was made from: written in it, or the value
// that the name in it holds.
Trained trained_by(const Program& program, const Instance& optimizer)
{
  Trained trained;
  const Call* made = optimizer.made_by;
  const Argument* given =
      made != nullptr && !made->arguments.empty() ? &made->arguments.front() : nullptr;
  if (given == nullptr || !given->given) {
    return trained;
  }
  for (const Call& call : program.calls()) {
    if (call.order > made->order) {
      break;
    }
    if (!gives_parameters(call)) {
      continue;
    }
    const bool is_value = call.result == given->value;
    // The same text is gone through again and again; what counts is the last time before.
    const bool is_written =
        given->span.contains(call.span) && is_inside(call.context, made->context);
    if (is_value || is_written) {
      trained.modules.push_back(as<Instance>(call.self));
      trained.complete = trained.complete || is_value || given->span == call.span;
    }
  }
  if (const auto* list = as<program::Sequence>(given->value)) {
    for (const Ref item : list->items) {
      if (const auto* tensor = as<Tensor>(item)) {
        trained.tensors.push_back(tensor);
      }
    }
  }
  return trained;
}

bool may_clear(const Program& program, const Event& event, Ref optimizer)
{
  if (event.kind != Kind::clear) {
    return false;
  }
  const auto* cleared = as<Instance>(event.object);
  const auto* stepped = as<Instance>(optimizer);
  if (cleared == nullptr || stepped == nullptr || cleared == stepped) {
    return true;
  }
  const Trained ours = trained_by(program, *stepped);
  if (!ours.complete) {
    return true;
  }
  std::vector<const Instance*> modules = {cleared};
  if (is_optimizer(event.object)) {
    const Trained others = trained_by(program, *cleared);
    if (!others.complete) {
      return true;
    }
    modules = others.modules;
  }
  return std::ranges::any_of(modules, [&ours](const Instance* other) {
    return std::ranges::any_of(ours.modules, [other](const Instance* mine) {
      return is_part_of(other, *mine) || is_part_of(mine, *other);
    });
  });
}

} // namespace faultline::rules
