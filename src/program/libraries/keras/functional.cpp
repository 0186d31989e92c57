// Models made from tensors, Model(inputs, outputs). Calling one runs its graph again on the new
// tensors, so that shapes follow and the rules see every layer.

#include "base/format.hpp"
#include "program/libraries/keras/applications.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/model.hpp"
#include "program/values/walk.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace faultline::program::keras {

namespace {

// Runs the calls between a model's ends again.
class Replay {
public:
  explicit Replay(Machine& machine) : m_machine(machine)
  {
    // Of the calls that return a tensor, the outermost is the one that began first.
    for (const Call& call : machine.program().calls()) {
      if (call.api == nullptr || call.api->role == Role::attribute || call.result == nullptr) {
        continue;
      }
      m_makers.emplace(call.result, &call);
      if (const auto* list = as<Sequence>(call.result)) {
        for (const Ref item : list->items) {
          m_makers.emplace(item, &call);
        }
      }
    }
  }

  void put(const Tensor* from, Ref to) { m_known[from] = to; }

  Ref value(Ref original)
  {
    const Ref made = walk(original, Ref(nullptr), [this](Ref one, auto& into) -> Ref {
      if (auto* tensor = as<Tensor>(one)) {
        return again(tensor);
      }
      const auto* list = as<Sequence>(one);
      if (list == nullptr) {
        return one;
      }
      std::vector<Ref> items;
      bool changed = false;
      for (const Ref item : list->items) {
        const Ref inner = into(item);
        items.push_back(inner != nullptr ? inner : item);
        changed = changed || items.back() != item;
      }
      if (!changed) {
        return one;
      }
      Sequence* made = m_machine.list(std::move(items));
      made->type = list->type;
      made->open = list->open;
      made->rest = list->rest;
      return made;
    });
    return made != nullptr ? made : original;
  }

private:
  Ref again(Tensor* tensor)
  {
    if (const auto known = m_known.find(tensor); known != m_known.end()) {
      return known->second;
    }
    m_known[tensor] = tensor; // also while it is on the way
    const Ref result = run(tensor);
    m_known[tensor] = result;
    return result;
  }

  // An activation that a layer applied itself is made again by the layer.
  static Ref maker_key(Tensor* tensor)
  {
    const Call* made = tensor->producer;
    Tensor* before = made != nullptr && made->layer == nullptr ? made->input() : nullptr;
    const Call* layer = before != nullptr ? before->producer : nullptr;
    if (layer == nullptr || layer->layer == nullptr || layer->layer->made_by == nullptr) {
      return tensor;
    }
    const Argument* activation = layer->layer->made_by->argument("activation");
    return activation != nullptr && activation->span == made->span ? before : tensor;
  }

  Ref run(Tensor* tensor)
  {
    constexpr size_t k_most = 1000;
    constexpr size_t k_deepest = 400;
    if (tensor->producer != nullptr) {
      if (auto* base = as<Instance>(tensor->producer->result);
          base != nullptr && is_pretrained(*base)) {
        const Tensor* input = pretrained_ends(m_machine, *base).input;
        const auto given = m_known.find(input);
        return given != m_known.end() && given->second != input
                   ? m_machine.call(base, std::vector<Ref>{given->second}, tensor->producer->span)
                   : tensor;
      }
    }
    const auto maker = m_makers.find(maker_key(tensor));
    if (maker == m_makers.end() || m_count >= k_most || m_depth >= k_deepest) {
      return tensor;
    }
    const Call& call = *maker->second;
    if (call.self != nullptr || call.has(k_source)) {
      return tensor;
    }
    ++m_count;
    ++m_depth;
    std::vector<Argument> arguments;
    bool changed = false;
    for (const std::vector<Argument>* list : {&call.arguments, &call.surplus}) {
      for (const Argument& argument : *list) {
        if (!argument.given) {
          continue;
        }
        Argument copy = argument;
        copy.value = value(argument.value);
        changed = changed || copy.value != argument.value;
        const bool is_number =
            !copy.name.empty() && copy.name.front() >= '0' && copy.name.front() <= '9';
        copy.name = is_number ? std::string_view() : copy.name;
        arguments.push_back(copy);
      }
    }
    --m_depth;
    if (!changed) {
      return tensor;
    }
    const size_t first = m_machine.program().calls().size();
    const Ref result = call.layer != nullptr
                           ? m_machine.call(call.layer, std::move(arguments), call.span)
                           : m_machine.call_api(call.name, std::move(arguments), call.span);
    mark_built(result, first);
    return member(call.result, result, tensor);
  }

  // Where `tensor` is in `before`, in `after`.
  Ref member(Ref before, Ref after, const Tensor* tensor)
  {
    const auto* old = as<Sequence>(before);
    const auto* now = as<Sequence>(after);
    if (old == nullptr) {
      return after;
    }
    if (now == nullptr || now->items.size() != old->items.size()) {
      return m_machine.unknown();
    }
    Ref found = m_machine.unknown();
    for (size_t i = 0; i < old->items.size(); ++i) {
      if (old->items[i] == tensor) {
        found = now->items[i];
      } else if (const auto* other = as<Tensor>(old->items[i])) {
        m_known[other] = now->items[i];
      }
    }
    return found;
  }

  Machine& m_machine;
  std::map<Ref, const Call*> m_makers;
  std::map<const Tensor*, Ref> m_known;
  size_t m_count = 0;
  size_t m_depth = 0;
};

} // namespace

void mark_built(Ref result, size_t first)
{
  constexpr int k_far = 64;
  auto* tensor = as<Tensor>(result);
  if (const auto* list = as<Sequence>(result); list != nullptr && !list->items.empty()) {
    tensor = as<Tensor>(list->items.front());
  }
  for (int i = 0; i < k_far && tensor != nullptr && tensor->producer != nullptr; ++i) {
    if (tensor->producer->order < first) {
      return;
    }
    tensor->producer->in_library_model = true;
    tensor = tensor->producer->input();
  }
}

bool expect_input(
    Machine& machine, const Call& call, Span span, const Tensor& data, const Tensor& declared)
{
  const auto rank = data.shape.rank();
  const auto wanted = declared.shape.rank();
  if (!rank || !wanted || *wanted == 0) {
    return true;
  }
  std::string help;
  if (*rank == *wanted) {
    bool differs = false;
    for (size_t i = 1; i < *rank; ++i) {
      differs = differs || data.shape.dims()[i].compare(declared.shape.dims()[i]) ==
                               Dim::Comparison::different;
    }
    if (!differs) {
      return true;
    }
  } else if (*rank + 1 == *wanted) {
    // Vectors become columns, and newer versions give every tensor its axis of size 1.
    const Dim last = declared.shape.at(-1);
    if (!last.constant() || (last.is(1) && (*rank == 1 || is_from_tensorflow(machine)))) {
      return true;
    }
    if (data.shape.compare(declared.shape.behind(1)) == Dim::Comparison::equal) {
      help = "a single sample needs a batch axis in front";
    }
  } else if (*rank == *wanted + 1 && (data.shape.at(-1).is(1) || !data.shape.at(-1).constant())) {
    return true;
  }
  Problem& problem = machine.problem(ProblemKind::input_shape,
                                     span,
                                     format("the data have shape {}, but the model takes {}",
                                            data.shape.text(),
                                            declared.shape.text()),
                                     &call);
  problem.help = std::move(help);
  if (declared.producer != nullptr) {
    problem.notes.push_back({declared.producer->span, "declared here"});
  }
  return false;
}

std::vector<Ref> functional_layers(const Ends& ends)
{
  constexpr size_t k_most = 5000;
  std::map<size_t, Instance*> found; // by the order of the call
  std::set<const Tensor*> seen;
  std::vector<const Tensor*> open(ends.outputs.begin(), ends.outputs.end());
  while (!open.empty() && seen.size() < k_most) {
    const Tensor* tensor = open.back();
    open.pop_back();
    if (!seen.insert(tensor).second || tensor->producer == nullptr) {
      continue;
    }
    const Call& call = *tensor->producer;
    if (call.layer != nullptr) {
      found.emplace(call.order, call.layer);
    } else if (auto* base = as<Instance>(call.result); base != nullptr && base->api != nullptr) {
      found.emplace(call.order, base);
    }
    if (std::find(ends.inputs.begin(), ends.inputs.end(), tensor) != ends.inputs.end()) {
      continue;
    }
    for (const Tensor* input : call.inputs()) {
      open.push_back(input);
    }
  }
  std::vector<Ref> layers;
  for (const auto& [order, layer] : found) {
    if (std::find(layers.begin(), layers.end(), layer) == layers.end()) {
      layers.push_back(layer);
    }
  }
  return layers;
}

Ref apply_functional(Machine& machine, Call& call)
{
  Instance& model = *call.layer;
  const Ends ends = ends_of(machine, model);
  const std::vector<Tensor*> given = tensors_in(machine, subject(call));
  if (model.made_by == nullptr || ends.outputs.empty() || given.size() != ends.inputs.size()) {
    return learned(machine, call, Shape::top());
  }
  // The layers themselves say whether the new tensors fit.
  Replay replay(machine);
  for (size_t i = 0; i < given.size(); ++i) {
    replay.put(ends.inputs[i], given[i]);
  }
  const Ref outputs = model.made_by->arg("outputs");
  return replay.value(outputs != nullptr ? outputs : ends.outputs.front());
}

} // namespace faultline::program::keras
