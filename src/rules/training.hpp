#pragma once

// The steps of a hand-written training loop in PyTorch, in the order in which they happen.

#include "rules/regions.hpp"
#include "rules/rule.hpp"

#include <vector>

namespace faultline::rules {

struct Event {
  enum class Kind : uint8_t {
    backward, // loss.backward()
    update,   // optimizer.step()
    clear,    // optimizer.zero_grad(), model.zero_grad(), p.grad = None, p.grad.zero_()
    schedule, // scheduler.step()
    clip,     // clip_grad_norm_
    unscale,  // scaler.unscale_(optimizer)
    helper,   // not known, but it gets an optimizer or a model, or is called like a training step
    stranger, // not known, gets tensors
  };
  Kind kind = Kind::stranger;
  const Call* call = nullptr; // null for `p.grad = None`
  // The loss, the optimizer, the optimizer or module that is cleared; null if that is not known.
  Ref object = nullptr;
  const Context* context = nullptr;
  size_t order = 0;
  Span span;
};

// What happened in calls [first, end), in order.
std::vector<Event> training_events(const Program& program, size_t first, size_t end);
bool has(const std::vector<Event>& events, Event::Kind kind);

// A loop, what happened in each round that was interpreted, and in all of them.
struct TrainingLoop {
  const program::Loop* loop = nullptr;
  std::vector<Round> rounds;
  std::vector<Event> events;

  std::vector<Event> events_of(const Round& round) const;
  // A backward() and this step are not in one loop further inside.
  bool is_innermost_for(const Event& update) const;
};

// Loops in which some gradient is computed or some optimizer makes a step.
std::vector<TrainingLoop> training_loops(const Program& program);

// The program has a class of optimizers of its own, whose steps are not events.
bool defines_optimizer(const Program& program);

// Whose weights an optimizer changes.
struct Trained {
  std::vector<const Instance*> modules;
  std::vector<const Tensor*> tensors;
  bool complete = false; // there are no others
};
Trained trained_by(const Program& program, const Instance& optimizer);

// `event` clears the gradients that `optimizer` uses, as far as we know.
bool may_clear(const Program& program, const Event& event, Ref optimizer);

} // namespace faultline::rules
