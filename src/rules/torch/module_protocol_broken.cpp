#include "base/text.hpp"
#include "program/values/classes.hpp"
#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"

#include <algorithm>
#include <optional>

namespace faultline::rules {

using program::as;
using program::Class;
using program::Function;

namespace {

// The name in `def name(…):` or `class Name(…):`.
Span name_in(const Program& program, Span definition, std::string_view name)
{
  const size_t at = program.text(definition).find(name);
  if (at == std::string_view::npos) {
    return definition;
  }
  definition.begin += static_cast<uint32_t>(at);
  definition.end = definition.begin + static_cast<uint32_t>(name.size());
  return definition;
}

bool is_plain_module(const Class& klass)
{
  return !klass.base_unknown && klass.api_base != nullptr &&
         klass.api_base->name == "torch.nn.Module";
}

bool is_registered_value(Ref value)
{
  const auto* tensor = as<Tensor>(value);
  return is_module(value) ||
         (tensor != nullptr && tensor->producer != nullptr && tensor->producer->is("parameter"));
}

// --- super().__init__() ---

bool is_initialised(const Program& program, const Instance& object, size_t before)
{
  return std::ranges::any_of(program.calls(), [&](const Call& call) {
    const auto holds = [&object](const auto& given) { return given.value == &object; };
    return call.order < before && call.name.ends_with(".__init__") &&
           (call.self == &object || std::ranges::any_of(call.arguments, holds) ||
            std::ranges::any_of(call.surplus, holds));
  });
}

void check_initialisation(const Program& program, Reporter& report, const Instance& object)
{
  for (const program::Store& store : program.stores()) {
    if (store.object != &object || !is_registered_value(store.value)) {
      continue;
    }
    if (!is_initialised(program, object, store.order)) {
      report.add(store.span, "a part is assigned before `super().__init__()` was called")
          .label("`nn.Module` refuses: it is not set up yet")
          .help("make `super().__init__()` the first statement of `__init__`");
    }
    return; // the first one decides
  }
}

// --- forward ---

std::optional<std::string_view> misspelt(const Class& klass, std::string_view wanted)
{
  for (const auto& [name, value] : klass.attributes) {
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (as<Function>(value) != nullptr && name != wanted && lower != "backward" &&
        edit_distance(lower, wanted) <= 2) {
      return name;
    }
  }
  return std::nullopt;
}

void check_forward(const Program& program, Reporter& report, const Class& klass)
{
  const Function* forward = as<Function>(program::find_in_class(klass, "forward"));
  if (forward != nullptr || program::find_in_class(klass, "__call__") != nullptr) {
    return;
  }
  if (const auto name = misspelt(klass, "forward")) {
    const auto* function = as<Function>(klass.attributes.at(*name));
    report
        .add(name_in(program, function->origin, *name),
             format("`{}` is never called: the method of a module is `forward`", *name))
        .replace(name_in(program, function->origin, *name), "forward")
        .unsafe("call it `forward`");
    return;
  }
  for (const Call& call : program.calls()) {
    if (call.layer != nullptr && call.layer->klass == &klass) {
      report.add(call.span, format("`{}` has no `forward` to call", klass.name))
          .note(name_in(program, klass.origin, klass.name), "defined here")
          .help("define `forward(self, …)` in the class");
    }
  }
}

void check_constructor(const Program& program, Reporter& report, const Class& klass)
{
  for (const std::string_view name : {"__int__", "_init_", "__init", "_init__", "__inti__"}) {
    const auto found = klass.attributes.find(name);
    const auto* function = found != klass.attributes.end() ? as<Function>(found->second) : nullptr;
    if (function != nullptr && !klass.attributes.contains("__init__")) {
      const Span place = name_in(program, function->origin, name);
      report.add(place, format("`{}` is never called: the constructor is `__init__`", name))
          .replace(place, "__init__")
          .unsafe("call it `__init__`");
    }
  }
}

void check_results(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Class* klass = call.layer != nullptr ? call.layer->klass : nullptr;
    if (klass == nullptr || call.discarded || call.result == nullptr || !is_module(call.layer) ||
        call.result->kind != program::Kind::none) {
      continue;
    }
    if (const auto* forward = as<Function>(program::find_in_class(*klass, "forward"))) {
      report.add(call.span, format("`forward` of `{}` returns nothing", klass->name))
          .note(name_in(program, forward->origin, "forward"), "ends without `return`")
          .help("return the result of the last layer");
    }
  }
}

void check(const Program& program, Reporter& report)
{
  for (const Instance* object : program.instances()) {
    if (object->klass != nullptr && is_plain_module(*object->klass)) {
      check_initialisation(program, report, *object);
    }
  }
  for (const Class* klass : program.classes()) {
    if (is_plain_module(*klass) && klass->instantiated) {
      check_forward(program, report, *klass);
    }
    if (is_plain_module(*klass)) {
      check_constructor(program, report, *klass);
    }
  }
  check_results(program, report);
}

} // namespace

extern const Rule module_protocol_broken{
    .name = "module-protocol-broken",
    .summary = "Finds modules without super().__init__(), without forward, or whose forward "
               "returns nothing",
    .applies = "torch",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
