#include "rules/torch/reused_graphs.hpp"

#include "program/names/api.hpp"
#include "rules/regions.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

namespace {

// Its backward pass needs what the forward pass kept, which is freed after use.
bool keeps_buffers(const Call& call)
{
  return call.layer != nullptr && call.has(program::k_learning) && !call.is("embedding");
}

bool frees_graph(const Call& backward)
{
  const Ref retain = backward.arg("retain_graph");
  const Ref create = backward.arg("create_graph");
  const auto is_off = [](Ref flag) {
    return flag == nullptr || flag->kind == program::Kind::none || bool_of(flag) == false;
  };
  return is_off(retain) && is_off(create);
}

// The layers that a backward pass goes through: what was detached on the way is left out.
std::vector<const Call*> layers_of(const History& history, const Tensor* loss)
{
  std::vector<const Call*> layers;
  std::unordered_set<const Tensor*> seen;
  std::vector<const Tensor*> open = {loss};
  while (!open.empty()) {
    const Tensor* next = open.back();
    open.pop_back();
    if (next == nullptr || next->producer == nullptr ||
        next->requires_grad != program::Truth::yes || !seen.insert(next).second) {
      continue;
    }
    if (keeps_buffers(*next->producer)) {
      layers.push_back(next->producer);
    }
    for (const Tensor* input : history.sources(*next->producer)) {
      open.push_back(input);
    }
  }
  std::ranges::sort(layers, {}, &Call::order);
  return layers;
}

} // namespace

static bool freezes_weights(const Program& program)
{
  return std::ranges::any_of(
             program.stores(),
             [](const program::Store& store) { return store.name == "requires_grad"; }) ||
         std::ranges::any_of(program.calls(), [](const Call& call) {
           return call.name.ends_with(".requires_grad_");
         });
}

std::vector<ReusedGraph> reused_graphs(const Program& program)
{
  struct Pass {
    const Call* call;
    std::vector<const Call*> layers;
  };
  const History history(program);
  std::vector<Pass> passes;
  std::vector<ReusedGraph> found;
  if (freezes_weights(program)) {
    return found;
  }
  for (const Call& call : program.calls()) {
    if (!call.is("backward")) {
      continue;
    }
    Pass pass{&call, layers_of(history, call.input())};
    for (const Pass& earlier : passes) {
      const auto shared = std::ranges::find_first_of(earlier.layers, pass.layers);
      if (shared != earlier.layers.end() && !is_optional(earlier.call->context, call.context)) {
        found.push_back({earlier.call, &call, *shared, frees_graph(*earlier.call)});
        break;
      }
    }
    passes.push_back(std::move(pass));
  }
  return found;
}

bool is_recurrent(const Call& call)
{
  constexpr std::string_view k_ops[] = {"rnn", "lstm", "gru", "rnn_cell", "lstm_cell", "gru_cell"};
  return std::ranges::find(k_ops, call.op()) != std::end(k_ops);
}

} // namespace faultline::rules
