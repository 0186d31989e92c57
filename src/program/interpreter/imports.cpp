#include "program/interpreter/imports.hpp"

#include "program/interpreter/assignments.hpp"
#include "program/interpreter/files.hpp"
#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

Ref library_name(Interpreter& m, const std::string& path, Span span)
{
  auto* made = m.make<ApiName>();
  made->origin = span;
  made->written = path;
  made->path = canonical_path(path);
  made->api = find_api(made->path);
  return made;
}

static void import_star(Interpreter& m, const std::string& module, Unit* unit)
{
  if (unit == nullptr) {
    m.scope->star_imports.push_back(canonical_path(module));
    return;
  }
  auto* made = m.make<ModuleRef>();
  made->unit = unit;
  resolve(m, made);
  if (unit->globals != nullptr && unit->globals != m.scope) {
    m.touch(*m.scope);
    for (const auto& [name, value] : unit->globals->names) {
      if (!name.starts_with('_')) {
        m.scope->names[name] = value;
      }
    }
    for (const std::string& star : unit->globals->star_imports) {
      m.scope->star_imports.push_back(star);
    }
  }
}

void execute_import(Interpreter& m, const Syntax& statement)
{
  for (const Syntax* name : statement.children) {
    const std::string module(name->text);
    m.note_import(module, "", name->span);
    const std::string first = module.substr(0, module.find('.'));
    const std::string bound = name->extra.empty() ? first : module;
    Ref value = nullptr;
    if (!is_modelled_library(module)) {
      if (Unit* unit = find_unit(m, bound, 0)) {
        auto* made = m.make<ModuleRef>();
        made->unit = unit;
        value = made;
      }
    }
    if (value == nullptr) {
      value = library_name(m, bound, name->span);
      if (!name->extra.empty()) {
        m.note_name(*as<ApiName>(value), name->span);
      }
    }
    assign_name(m, name->extra.empty() ? m.keep(first) : name->extra, value);
  }
}

void execute_import_from(Interpreter& m, const Syntax& statement)
{
  const std::string module(statement.text);
  Unit* unit = nullptr;
  const bool modelled = statement.level == 0 && is_modelled_library(module);
  if (!modelled) {
    unit = find_unit(m, module, statement.level);
  }
  for (const Syntax* name : statement.children) {
    m.note_import(module, std::string(name->text), name->span);
    if (name->text == "*") {
      import_star(m, module, unit);
      continue;
    }
    const std::string_view bound = name->extra.empty() ? name->text : name->extra;
    if (unit != nullptr) {
      auto* made = m.make<ModuleRef>();
      made->unit = unit;
      made->name = name->text;
      assign_name(m, bound, made);
      continue;
    }
    // `from package import module`
    if (!modelled) {
      const std::string whole =
          module.empty() ? std::string(name->text) : module + "." + std::string(name->text);
      if (Unit* inner = find_unit(m, whole, statement.level)) {
        auto* made = m.make<ModuleRef>();
        made->unit = inner;
        assign_name(m, bound, made);
        continue;
      }
    }
    if (statement.level > 0) {
      m.stand_at(name->span);
      assign_name(m, bound, m.unknown());
      continue;
    }
    const Ref value = library_name(m, module + "." + std::string(name->text), name->span);
    m.note_name(*as<ApiName>(value), name->span);
    assign_name(m, bound, value);
  }
}

} // namespace faultline::program
