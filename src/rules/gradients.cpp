#include "rules/gradients.hpp"

#include "program/names/api.hpp"

namespace faultline::rules {

using program::as;
using program::Truth;

History::History(const Program& program)
{
  for (const Call& call : program.calls()) {
    if (call.is("to_number") && call.result != nullptr) {
      m_readers.emplace(call.result, &call);
    }
  }
}

const Call* History::reader(Ref value) const
{
  const auto found = m_readers.find(value);
  return found != m_readers.end() ? found->second : nullptr;
}

std::vector<const Tensor*> History::sources(const Call& call) const
{
  std::vector<const Tensor*> found;
  for (const Tensor* input : call.inputs()) {
    found.push_back(input);
  }
  for (const auto* list : {&call.arguments, &call.surplus}) {
    for (const program::Argument& argument : *list) {
      if (const Call* read = reader(argument.value)) {
        for (const Tensor* input : read->inputs()) {
          found.push_back(input);
        }
      }
    }
  }
  return found;
}

std::unordered_set<const Call*> History::calls_behind(const Tensor* tensor) const
{
  std::unordered_set<const Call*> seen;
  std::vector<const Tensor*> open = {tensor};
  while (!open.empty()) {
    const Tensor* next = open.back();
    open.pop_back();
    if (next == nullptr || next->producer == nullptr || !seen.insert(next->producer).second) {
      continue;
    }
    for (const Tensor* input : sources(*next->producer)) {
      open.push_back(input);
    }
  }
  return seen;
}

std::unordered_set<const Call*> trained_calls(const Program& program, const History& history)
{
  std::unordered_set<const Call*> all;
  for (const Call& call : program.calls()) {
    const bool may_train = call.is("backward") || call.is("grad_of") || call.name == "?" ||
                           call.name.ends_with(".backward");
    for (const Tensor* tensor : may_train ? call.inputs() : std::vector<Tensor*>()) {
      all.merge(history.calls_behind(tensor));
    }
  }
  return all;
}

const Tensor* changed_tensor(const Call& call)
{
  if (!call.has(program::k_in_place)) {
    return nullptr;
  }
  if (call.self != nullptr) {
    return as<Tensor>(call.self);
  }
  return !call.arguments.empty() ? as<Tensor>(call.arguments.front().value) : nullptr;
}

Path gradient_path(const History& history, const Tensor* tensor)
{
  Path path;
  std::unordered_set<const Tensor*> seen;
  std::vector<const Tensor*> open = {tensor};
  while (!open.empty() && !path.live) {
    const Tensor* next = open.back();
    open.pop_back();
    if (next == nullptr || !seen.insert(next).second) {
      continue;
    }
    if (next->requires_grad == Truth::yes) {
      path.live = true;
    } else if (next->producer == nullptr) {
      // Data that were loaded have no gradient; of others nothing is known.
      path.uncertain =
          path.uncertain || (next->requires_grad == Truth::unknown && next->source == nullptr);
    } else {
      for (const Tensor* input : history.sources(*next->producer)) {
        if (next->requires_grad == Truth::no && input->requires_grad == Truth::yes) {
          path.cut = path.cut == nullptr ? next->producer : path.cut;
        } else {
          open.push_back(input);
        }
      }
    }
  }
  return path;
}

} // namespace faultline::rules
