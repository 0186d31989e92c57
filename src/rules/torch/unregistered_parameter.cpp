#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;
using program::Truth;

namespace {

bool is_parameter(const Tensor& tensor)
{
  return tensor.producer != nullptr && tensor.producer->is("parameter");
}

// nn.Parameter(…).to(device) is a result, no parameter.
const Call* moved_parameter(const Tensor& tensor)
{
  const Call* call = tensor.producer;
  const Tensor* input = call != nullptr ? call->input() : nullptr;
  const bool moves = call != nullptr && (call->is("to_device") || call->is("cast"));
  return moves && input != nullptr && input != &tensor && is_parameter(*input) ? call : nullptr;
}

bool is_trained_elsewhere(const Program& program, const Tensor* tensor)
{
  return std::ranges::any_of(program.instances(), [&](const Instance* object) {
    if (!is_optimizer(object)) {
      return false;
    }
    const Trained trained = trained_by(program, *object);
    return std::ranges::find(trained.tensors, tensor) != trained.tensors.end();
  });
}

bool is_registered(const Program& program, const program::Store& store)
{
  return std::ranges::any_of(program.calls(), [&store](const Call& call) {
    return (call.name.ends_with(".register_parameter") ||
            call.name.ends_with(".register_buffer")) &&
           std::ranges::any_of(call.arguments,
                               [&store](const auto& given) { return given.value == store.value; });
  });
}

void check(const Program& program, Reporter& report)
{
  for (const program::Store& store : program.stores()) {
    const auto* tensor = as<Tensor>(store.value);
    if (tensor == nullptr || !is_module(store.object) || tensor->requires_grad != Truth::yes ||
        is_parameter(*tensor) || is_registered(program, store) ||
        is_trained_elsewhere(program, tensor)) {
      continue;
    }
    const Call* moved = moved_parameter(*tensor);
    const bool is_made_here = tensor->leaf == Truth::yes && tensor->producer != nullptr &&
                              tensor->producer->has(program::k_source);
    if (moved == nullptr && !is_made_here) {
      continue;
    }
    report.add(store.span, "a learnable tensor that is not a parameter of the module")
        .label("the optimizer does not see it")
        .note(tensor->producer->span,
              moved != nullptr ? "this gives a plain tensor: the parameter itself is lost"
                               : "made here")
        .help(moved != nullptr ? "assign the `nn.Parameter` itself and move the whole module"
                               : "wrap it: `nn.Parameter(…)`");
  }
}

} // namespace

extern const Rule unregistered_parameter{
    .name = "unregistered-parameter",
    .summary = "Finds learnable tensors that are not registered as parameters of a module",
    .applies = "torch",
    .type = "model/model-type-and-properties/wrong-model-initialisation",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
