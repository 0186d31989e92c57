#include "program/values/walk.hpp"
#include "rules/facts.hpp"
#include "rules/reporter.hpp"

#include <algorithm>
#include <functional>

namespace faultline::rules {

using program::as;

namespace {

bool is_loader(Ref value)
{
  const auto* object = as<Instance>(value);
  return object != nullptr && object->api != nullptr && object->api->role == program::Role::loader;
}

// len(loader): the number of batches.
bool counts_batches(const Program& program, Ref value)
{
  return std::ranges::any_of(program.calls(), [value](const Call& call) {
    return call.name == "builtins.len" && call.result == value && !call.arguments.empty() &&
           is_loader(call.arguments.front().value);
  });
}

// A number of hits: a comparison, summed up and added over the rounds, but never averaged.
bool counts_hits(const Tensor* tensor)
{
  constexpr program::WalkLimits k_near = {.depth = 13};
  constexpr std::string_view k_ops[] = {"reduce_sum", "add", "cast", "mul", "to_device", "detach"};
  return program::walk(
      tensor,
      false,
      [&](const Tensor* one, auto& into) {
        const Call* call = one->producer;
        if (call == nullptr || call->is("equal")) {
          return call != nullptr;
        }
        return std::ranges::find(k_ops, call->op()) != std::end(k_ops) &&
               std::ranges::any_of(call->inputs(), std::ref(into));
      },
      program::Again::reuse,
      k_near);
}

bool is_summed(const Tensor* tensor)
{
  for (int i = 0; i < 12 && tensor != nullptr && tensor->producer != nullptr; ++i) {
    if (tensor->producer->is("reduce_sum")) {
      return true;
    }
    const std::vector<Tensor*> inputs = tensor->producer->inputs();
    tensor = inputs.empty() ? nullptr : inputs.back();
  }
  return false;
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!call.is("div") || call.arguments.size() < 2) {
      continue;
    }
    const auto* hits = as<Tensor>(call.arguments[0].value);
    if (counts_batches(program, call.arguments[1].value) && counts_hits(hits) && is_summed(hits)) {
      report.add(call.span, "hits are divided by the number of batches, not of samples")
          .label("`len(loader)` counts batches")
          .help("divide by `len(loader.dataset)`");
    }
  }
}

} // namespace

extern const Rule accuracy_per_batch{
    .name = "accuracy-per-batch",
    .summary = "Finds accuracies that divide the hits by the number of batches",
    .applies = "torch",
    .type = "training/validation-testing/wrong-performance-metric",
    .fix_pattern = "accuracy-metric",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
