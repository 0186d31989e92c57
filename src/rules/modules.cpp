#include "rules/modules.hpp"

#include "program/names/api.hpp"
#include "rules/regions.hpp"

#include <algorithm>
#include <unordered_set>

namespace faultline::rules {

using program::as;
using program::Role;

static const Instance* instance(const program::Value* value)
{
  return value != nullptr && value->kind == program::Kind::instance
             ? static_cast<const Instance*>(value)
             : nullptr;
}

bool is_optimizer(const program::Value* value)
{
  const Instance* object = instance(value);
  return object != nullptr && object->api != nullptr && object->api->role == Role::optimizer;
}

bool is_module(const program::Value* value)
{
  const Instance* object = instance(value);
  if (object == nullptr || object->api == nullptr) {
    return false;
  }
  const program::Api& api = *object->api;
  return api.name.starts_with("torch") &&
         (api.role == Role::layer || api.role == Role::model || api.role == Role::loss);
}

std::vector<const Instance*> parts_of(const Instance& module)
{
  std::vector<const Instance*> parts;
  std::unordered_set<const Instance*> seen;
  std::vector<const Instance*> open = {&module};
  while (!open.empty()) {
    const Instance* next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) {
      continue;
    }
    parts.push_back(next);
    const auto add = [&open](Ref value) {
      if (is_module(value)) {
        open.push_back(as<Instance>(value));
      } else if (const auto* choice = as<program::Choice>(value)) {
        for (const Ref option : choice->options) {
          if (is_module(option)) {
            open.push_back(as<Instance>(option));
          }
        }
      }
    };
    for (const auto& [name, value] : next->attributes) {
      add(value);
    }
    std::ranges::for_each(next->items, add);
    if (next->made_by != nullptr && next->api != nullptr && next->api->has(program::k_wraps)) {
      for (const program::Argument& argument : next->made_by->arguments) {
        add(argument.value);
      }
    }
  }
  return parts;
}

bool is_part_of(const Instance* part, const Instance& module)
{
  const std::vector<const Instance*> parts = parts_of(module);
  return std::ranges::find(parts, part) != parts.end();
}

static bool is_parameter(Ref value)
{
  const auto* tensor = as<Tensor>(value);
  return tensor != nullptr && tensor->leaf == program::Truth::yes &&
         tensor->requires_grad == program::Truth::yes;
}

bool has_weights(const Instance& module)
{
  return std::ranges::any_of(parts_of(module), [](const Instance* part) {
    return part->api->has(program::k_learning) ||
           (part->api->has(program::k_normalising) && part->klass == nullptr) ||
           std::ranges::any_of(part->attributes,
                               [](const auto& field) { return is_parameter(field.second); });
  });
}

const Instance* mode_dependent_part(const Instance& module)
{
  for (const Instance* part : parts_of(module)) {
    if (part->klass == nullptr && part->api->has(program::k_mode_dependent)) {
      return part;
    }
  }
  return nullptr;
}

bool is_in_module(const Call& call)
{
  const Context* function = function_around(call.context);
  return function != nullptr && is_module(function->self);
}

} // namespace faultline::rules
