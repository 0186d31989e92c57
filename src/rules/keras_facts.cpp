#include "rules/keras_facts.hpp"

#include "program/values/walk.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

const program::Argument* declared_input_shape(const Instance* model)
{
  if (model == nullptr || model->items.empty()) {
    return nullptr;
  }
  const auto* first = as<Instance>(model->items.front());
  if (first == nullptr || first->made_by == nullptr) {
    return nullptr;
  }
  if (const program::Argument* given = first->made_by->given("input_shape")) {
    return given;
  }
  return first->made_by->keyword("input_shape");
}

// Visit the model and everything inside it; true as soon as `visit` returns true.
template <typename Visit> static bool visit_layers(const Instance& model, const Visit& visit)
{
  return program::any_reachable(&model, [&visit](const Instance& one, const auto& add) {
    if (visit(one)) {
      return true;
    }
    for (const Ref item : one.items) {
      add(as<Instance>(item));
    }
    if (one.klass != nullptr) {
      for (const auto& [name, value] : one.attributes) {
        add(as<Instance>(value));
      }
    }
    return false;
  });
}

bool holds(const Instance& model, const Instance* part)
{
  return visit_layers(model, [part](const Instance& layer) { return &layer == part; });
}

const Instance* mode_dependent_layer(const Instance& model)
{
  const Instance* found = nullptr;
  visit_layers(model, [&found](const Instance& layer) {
    const bool dependent =
        layer.klass == nullptr && layer.api != nullptr && layer.api->has(program::k_mode_dependent);
    found = dependent ? &layer : found;
    return dependent;
  });
  return found;
}

bool escapes(const Program& program, const Instance& model, size_t order)
{
  for (const Call& call : program.calls()) {
    if (call.order >= order || call.api != nullptr) {
      continue;
    }
    for (const program::Argument& argument : call.surplus) {
      if (argument.value == &model) {
        return true;
      }
    }
  }
  return false;
}

bool uses_added_loss(const Program& program)
{
  return std::ranges::any_of(program.calls(),
                             [](const Call& call) { return call.name.ends_with(".add_loss"); }) ||
         std::ranges::any_of(program.classes(), [](const program::Class* klass) {
           return klass->attributes.contains("train_step");
         });
}

const Call* generator_behind(const Call& fit)
{
  for (const std::string_view name : {"x", "generator"}) {
    if (const auto* source = as<Instance>(fit.arg(name))) {
      return source->made_by;
    }
  }
  return nullptr;
}

} // namespace faultline::rules
