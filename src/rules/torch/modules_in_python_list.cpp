#include "program/values/walk.hpp"
#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"

#include <algorithm>
#include <functional>

namespace faultline::rules {

using program::as;
using program::Sequence;

namespace {

// Modules with weights inside a Python list, tuple or dict.
std::vector<const Instance*> modules_in(Ref value)
{
  std::vector<const Instance*> found;
  if (value->kind != program::Kind::sequence && value->kind != program::Kind::dict) {
    return found;
  }
  program::walk(
      value,
      true,
      [&found](Ref one, auto& into) {
        if (is_module(one)) {
          const auto* module = as<Instance>(one);
          if (has_weights(*module)) {
            found.push_back(module);
          }
        } else if (const auto* list = as<Sequence>(one)) {
          std::ranges::for_each(list->items, std::ref(into));
          into(list->rest);
        } else if (const auto* dict = as<program::Dict>(one)) {
          for (const auto& [key, held] : dict->items) {
            into(held);
          }
        }
        return true;
      },
      program::Again::visit);
  return found;
}

// The program takes care of them itself: it registers them, or asks each for its parameters.
bool is_handled(const Program& program, const Instance* module)
{
  return std::ranges::any_of(program.calls(), [module](const Call& call) {
    const bool asks = call.self == module && (call.name.ends_with(".parameters") ||
                                              call.name.ends_with(".named_parameters"));
    const bool registers = call.name.ends_with(".add_module") ||
                           call.name.ends_with(".register_module") ||
                           call.name == "builtins.setattr";
    return asks || (registers && std::ranges::any_of(call.arguments, [module](const auto& given) {
                      return given.value == module;
                    }));
  });
}

void check_field(const Program& program,
                 Reporter& report,
                 const Instance& holder,
                 std::string_view name,
                 Ref value)
{
  const std::vector<const Instance*> parts = parts_of(holder);
  const std::vector<const Instance*> modules = modules_in(value);
  const bool is_hidden =
      !modules.empty() && std::ranges::all_of(modules, [&](const Instance* module) {
        return std::ranges::find(parts, module) == parts.end() && !is_handled(program, module);
      });
  if (!is_hidden) {
    return;
  }
  for (const program::Store& store : program.stores()) {
    if (store.object != &holder || store.name != name) {
      continue;
    }
    const bool is_dict = value->kind == program::Kind::dict;
    const std::string_view kind = is_dict                                              ? "dict"
                                  : as<Sequence>(value)->type == Sequence::Type::tuple ? "tuple"
                                                                                       : "list";
    Draft& draft =
        report.add(store.span, format("modules in a Python {} are not registered", kind))
            .label("the optimizer does not see their weights")
            .help(format("keep them in an `nn.{}`", is_dict ? "ModuleDict" : "ModuleList"));
    if (modules.front()->made_by != nullptr) {
      draft.note(modules.front()->made_by->span, "such as this one");
    }
    return;
  }
}

void check(const Program& program, Reporter& report)
{
  for (const Instance* holder : program.instances()) {
    if (holder->klass == nullptr || !is_module(holder)) {
      continue;
    }
    for (const auto& [name, value] : holder->attributes) {
      check_field(program, report, *holder, name, value);
    }
  }
}

} // namespace

extern const Rule modules_in_python_list{
    .name = "modules-in-python-list",
    .summary = "Finds modules kept in a Python list, tuple or dict of a module",
    .applies = "torch",
    .type = "model/model-type-and-properties/wrong-model-initialisation",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
