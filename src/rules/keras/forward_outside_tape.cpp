#include "program/values/walk.hpp"
#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

// The with statement in which the tape recorded; null if it is not known.
static const program::Context* recording(const Program& program, Ref tape)
{
  for (const Call& call : program.calls()) {
    for (const program::Context* region = call.context; region != nullptr;
         region = region->parent) {
      if (region->kind == program::Context::Kind::with && region->subject == tape) {
        return region;
      }
    }
  }
  return nullptr;
}

// The last layer with weights on the way to `tensor`; null if none is reached.
static const Call* learning_call(const Tensor* tensor)
{
  const Call* found = nullptr;
  program::any_reachable(tensor, [&found](const Tensor& one, const auto& add) {
    if (one.producer == nullptr) {
      return false;
    }
    if (one.producer->has(program::k_learning)) {
      found = one.producer;
      return true;
    }
    std::ranges::for_each(one.producer->inputs(), add);
    return false;
  });
  return found;
}

static bool within(const Call& call, const program::Context& recorded)
{
  for (const program::Context* region = call.context; region != nullptr; region = region->parent) {
    if (region->kind == program::Context::Kind::with && region->subject == recorded.subject) {
      return true;
    }
  }
  return false;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!call.is("grad_of") || call.self == nullptr) {
      continue;
    }
    const Tensor* target = call.input();
    const program::Context* recorded = recording(program, call.self);
    const Call* forward = learning_call(target);
    if (recorded == nullptr || forward == nullptr || within(*forward, *recorded)) {
      continue;
    }
    report.add(call.span, "the gradient of something computed outside the tape is None")
        .note(forward->span, "computed here, where the tape does not record")
        .help("call the model inside `with tf.GradientTape()`")
        .cause(&call);
  }
}

extern const Rule forward_outside_tape{
    .name = "forward-outside-tape",
    .summary = "Finds gradients of values that were computed outside the tape",
    .applies = "keras tf2",
    .type = "training/training-process/wrongly-implemented-back-propagation",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
