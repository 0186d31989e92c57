#include "program/values/walk.hpp"
#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>
#include <set>

namespace faultline::rules {

static void ancestors(const Tensor* tensor, std::set<const Tensor*>& seen)
{
  program::any_reachable(tensor, [&seen](const Tensor& one, const auto& add) {
    if (seen.insert(&one).second && one.producer != nullptr) {
      std::ranges::for_each(one.producer->inputs(), add);
    }
    return false;
  });
}

static std::vector<const Tensor*> tensors_of(Ref value)
{
  std::vector<const Tensor*> tensors;
  if (const auto* one = program::as<Tensor>(value)) {
    tensors.push_back(one);
  } else if (const auto* several = program::as<program::Sequence>(value)) {
    for (const Ref item : several->items) {
      const auto* tensor = program::as<Tensor>(item);
      if (tensor == nullptr) {
        return {};
      }
      tensors.push_back(tensor);
    }
  }
  return tensors;
}

// Nothing upstream is a mystery: every tensor was made by a call that we know, or is an input.
static bool fully_known(const std::set<const Tensor*>& seen)
{
  return std::ranges::all_of(seen, [](const Tensor* tensor) {
    return tensor->producer != nullptr && tensor->producer->api != nullptr;
  });
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.name != "keras.Model" || call.layer != nullptr) {
      continue;
    }
    const program::Argument* in = call.argument("inputs");
    const program::Argument* out = call.argument("outputs");
    if (in == nullptr || out == nullptr) {
      continue;
    }
    const std::vector<const Tensor*> inputs = tensors_of(in->value);
    const std::vector<const Tensor*> outputs = tensors_of(out->value);
    if (inputs.empty() || outputs.empty()) {
      continue;
    }
    std::set<const Tensor*> above_outputs;
    for (const Tensor* output : outputs) {
      ancestors(output, above_outputs);
    }
    const bool connected = std::ranges::any_of(
        inputs, [&](const Tensor* input) { return above_outputs.contains(input); });
    if (connected || !fully_known(above_outputs)) {
      continue;
    }
    std::set<const Tensor*> above_inputs;
    for (const Tensor* input : inputs) {
      ancestors(input, above_inputs);
    }
    const bool swapped = std::ranges::any_of(
        outputs, [&](const Tensor* output) { return above_inputs.contains(output); });
    report
        .add(out->span,
             swapped ? "inputs and outputs of the model are swapped"
                     : "the outputs of the model do not depend on its inputs")
        .note(in->span, "these inputs")
        .help(swapped ? "write `Model(inputs, outputs)`"
                      : "follow the tensors from `Input` to the output")
        .cause(&call);
  }
}

extern const Rule model_inputs_not_connected{
    .name = "model-inputs-not-connected",
    .summary = "Finds functional models whose outputs do not come from their inputs",
    .applies = "keras",
    .type = "model/model-type-and-properties/wrong-network-architecture",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
