#include "rules/torch/cuts.hpp"

#include "program/names/api.hpp"
#include "rules/regions.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

bool takes_values_out(const Call& call)
{
  constexpr std::string_view k_ops[] = {
      "detach", "to_number", "to_numpy", "from_array", "constant", "variable", "parameter"};
  return std::ranges::find(k_ops, call.op()) != std::end(k_ops) || gradient_off(call) ||
         call.name.ends_with(".data") || call.name.ends_with(".Variable");
}

// Targets are data as a rule, so one of which nothing is known counts as such.
static bool is_without_gradient(const History& history, Ref target)
{
  const auto* tensor = as<Tensor>(target);
  return tensor == nullptr || tensor->producer == nullptr ||
         (!gradient_path(history, tensor).live && tensor->requires_grad != program::Truth::yes);
}

std::vector<CutLoss> cut_losses(const Program& program)
{
  const History history(program);
  std::vector<CutLoss> found;
  std::vector<const Call*> backwards;
  for (const Event& event : training_events(program, 0, program.calls().size())) {
    if (event.kind != Event::Kind::backward || event.call == nullptr) {
      continue;
    }
    if (const Call* read = history.reader(event.call->self)) {
      found.push_back({read, event.call}); // loss.item().backward()
      continue;
    }
    const auto* loss = as<Tensor>(event.object);
    const Path path = gradient_path(history, loss);
    if (loss != nullptr && !path.live && !path.uncertain && path.cut != nullptr) {
      found.push_back({path.cut, event.call});
    }
    backwards.push_back(event.call);
  }
  // Where the whole is not decided, because of unknown targets or other terms, a loss function that
  // gets no gradient still is.
  for (const LossUse& use : program.losses()) {
    const Path path = gradient_path(history, use.prediction);
    const auto* result = use.call != nullptr ? as<Tensor>(use.call->result) : nullptr;
    if (use.framework != "torch" || use.prediction == nullptr || path.live || path.uncertain ||
        path.cut == nullptr || result == nullptr || !is_without_gradient(history, use.target)) {
      continue;
    }
    for (const Call* backward : backwards) {
      const auto* loss = backward->input();
      if (loss == result || history.calls_behind(loss).contains(use.call)) {
        found.push_back({path.cut, backward});
        break;
      }
    }
  }
  return found;
}

} // namespace faultline::rules
