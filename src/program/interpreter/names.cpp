#include "program/interpreter/names.hpp"

#include "program/interpreter/attributes.hpp"
#include "program/interpreter/expressions.hpp"
#include "program/interpreter/files.hpp"
#include "program/interpreter/imports.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/values/classes.hpp"

namespace faultline::program {

static Scope* scope_of(Interpreter& m, std::string_view name)
{
  for (Scope* scope = m.scope; scope != nullptr; scope = scope->parent) {
    if (scope->names.contains(name)) {
      return scope;
    }
  }
  Scope* globals = m.unit->globals;
  return globals->names.contains(name) ? globals : nullptr;
}

Ref evaluate_name(Interpreter& m, const Syntax& expression)
{
  const std::string_view name = expression.text;
  if (Scope* scope = scope_of(m, name)) {
    Ref& held = scope->names[name];
    const Ref value = resolve(m, held);
    if (value != held && scope->names.contains(name)) {
      scope->names[name] = value; // found out once and for all
    }
    return value;
  }
  if (const Api* api = find_api(std::string("builtins.") + std::string(name))) {
    auto* made = m.make<ApiName>();
    made->path = std::string(api->name);
    made->written = made->path;
    made->api = api;
    return made;
  }
  for (Scope* scope = m.scope; scope != nullptr; scope = scope->parent != nullptr ? scope->parent
                                                         : scope != m.unit->globals
                                                             ? m.unit->globals
                                                             : nullptr) {
    for (const std::string& module : scope->star_imports) {
      const std::string path = canonical_path(module + "." + std::string(name));
      if (find_api(path) != nullptr || is_namespace(path)) {
        return library_name(m, path, expression.span);
      }
    }
  }
  return m.unknown();
}

static Ref evaluate_super(Interpreter& m, std::string_view name, Span span)
{
  // The innermost method, looking through functions nested in it.
  for (auto frame = m.frames.rbegin(); frame != m.frames.rend(); ++frame) {
    Class* owner = frame->function->owner;
    if (owner == nullptr || frame->self == nullptr) {
      continue;
    }
    for (const Ref base : owner->bases) {
      if (const auto* parent = as<Class>(base)) {
        if (const Ref found = find_in_class(*parent, name)) {
          auto* function = as<Function>(found);
          return function != nullptr ? bind_method(m, *function, frame->self) : found;
        }
        if (parent->api_base != nullptr) {
          return method(m, *parent->api_base, parent->api_base->name, frame->self, name, span);
        }
      } else if (const auto* library_base = as<ApiName>(base);
                 library_base != nullptr && library_base->api != nullptr) {
        return method(m, *library_base->api, library_base->path, frame->self, name, span);
      }
    }
    if (owner->bases.empty() && owner->api_base == nullptr) {
      return m.unknown();
    }
    break;
  }
  return m.unknown();
}

Ref evaluate_attribute(Interpreter& m, const Syntax& expression, bool outermost)
{
  const Syntax& object = *expression.child(0);
  // super().method: looked up in the bases of the class around.
  if (object.kind == SyntaxKind::call && object.child(0)->kind == SyntaxKind::name &&
      object.child(0)->text == "super") {
    return evaluate_super(m, expression.text, expression.span);
  }
  const Ref value = object.kind == SyntaxKind::attribute ? evaluate_attribute(m, object, false)
                                                         : evaluate(m, &object);
  m.stand_at(expression.span);
  const Ref result = m.attribute(value, expression.text, expression.span);
  if (outermost) {
    if (const auto* name = as<ApiName>(result); name != nullptr && name->self == nullptr) {
      m.note_name(*name, expression.span);
    }
  }
  return result;
}

} // namespace faultline::program
