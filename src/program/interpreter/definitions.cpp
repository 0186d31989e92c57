#include "program/interpreter/definitions.hpp"

#include "program/interpreter/assignments.hpp"
#include "program/interpreter/expressions.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/statements.hpp"

#include <algorithm>

namespace faultline::program {

// The function that a statement or lambda makes, with the defaults of its parameters.
static Function* make_function(Interpreter& m, const Syntax& definition, std::string_view name)
{
  auto* function = m.make<Function>();
  function->definition = &definition;
  function->unit = m.unit;
  function->name = name;
  function->closure = m.scope;
  for (const Syntax* parameter : definition.child(0)->children) {
    function->defaults.push_back(parameter->child(0) != nullptr ? evaluate(m, parameter->child(0))
                                                                : nullptr);
  }
  return function;
}

// What a decorator makes of `value`, which began as `function`.
static Ref decorated(Interpreter& m, Function& function, Ref value, const Syntax& decorator)
{
  const Ref wrapper = evaluate(m, decorator.child(0));
  if (const auto* name = as<ApiName>(wrapper)) {
    if (name->path == "builtins.staticmethod") {
      function.flavour = Function::Flavour::static_method;
    } else if (name->path == "builtins.classmethod") {
      function.flavour = Function::Flavour::class_method;
    } else if (name->path == "builtins.property" || name->path.ends_with("cached_property")) {
      function.flavour = Function::Flavour::property;
    } else if (name->api != nullptr && name->api->op == "grad_off") {
      function.gradient_off = true;
    }
  } else if (const auto* object = as<Instance>(wrapper);
             object != nullptr && object->api != nullptr && object->api->op == "grad_off") {
    function.gradient_off = true;
  } else if (as<Function>(wrapper) != nullptr && value == &function) {
    const Ref wrapped = m.call(wrapper, std::vector<Ref>{&function}, decorator.span);
    if (as<Function>(wrapped) != nullptr) {
      function.ran = true; // it is run through its wrapper
      return wrapped;
    }
  }
  return value;
}

// @click.option('--lr', default=0.1) gives the parameter a value that the user may override.
static void note_option(Interpreter& m, Function& function, const Syntax& decorator)
{
  const Syntax* made = decorator.child(0);
  if (made == nullptr || made->kind != SyntaxKind::call || made->child(0) == nullptr ||
      made->child(0)->text != "option") {
    return;
  }
  std::string parameter;
  Ref fallback = nullptr;
  for (size_t k = 1; k < made->children.size(); ++k) {
    const Syntax& argument = *made->children[k];
    if (argument.kind == SyntaxKind::string && argument.text.starts_with("--")) {
      parameter = std::string(argument.text.substr(2));
    } else if (argument.kind == SyntaxKind::keyword && argument.text == "default") {
      fallback = evaluate(m, argument.child(0));
    }
  }
  std::ranges::replace(parameter, '-', '_');
  if (const auto* constant = as<Constant>(fallback)) {
    auto* assumed = m.make<Constant>();
    assumed->value = constant->value;
    assumed->assumed = true;
    function.options[m.keep(parameter)] = assumed;
  }
}

void define_function(Interpreter& m, const Syntax& statement)
{
  Function* function = make_function(m, statement, statement.text);
  function->origin = statement.span;
  if (m.unit->is_main && m.frames.empty()) {
    m.functions.push_back(function);
  }
  Ref value = function;
  for (size_t i = statement.children.size(); i-- > 2;) {
    const Syntax& decorator = *statement.children[i];
    value = decorated(m, *function, value, decorator);
    note_option(m, *function, decorator);
  }
  assign_name(m, statement.text, value);
}

Ref evaluate_lambda(Interpreter& m, const Syntax& expression)
{
  return make_function(m, expression, "<lambda>");
}

void define_class(Interpreter& m, const Syntax& statement)
{
  auto* klass = m.make<Class>();
  klass->definition = &statement;
  klass->unit = m.unit;
  klass->name = statement.text;
  klass->origin = statement.span;
  for (size_t i = 0; i < statement.split; ++i) {
    const Syntax& base = *statement.child(1 + i);
    if (base.kind == SyntaxKind::keyword) {
      continue;
    }
    const Ref value = evaluate(m, &base);
    klass->bases.push_back(value);
    if (const auto* parent = as<Class>(value)) {
      klass->api_base = klass->api_base != nullptr ? klass->api_base : parent->api_base;
      klass->base_unknown = klass->base_unknown || parent->base_unknown;
    } else if (const auto* name = as<ApiName>(value)) {
      klass->api_base = klass->api_base != nullptr ? klass->api_base : name->api;
      klass->base_unknown =
          klass->base_unknown || (name->api == nullptr && name->path != "builtins.object");
    } else {
      klass->base_unknown = true;
    }
  }
  m.note_class(*klass);

  // The body has a scope of its own, which methods do not see.
  Scope* scope = &m.add_scope(*m.unit, m.scope);
  Scope* const outer = m.scope;
  m.scope = scope;
  execute_block(m, statement.child(0));
  m.scope = outer;
  klass->attributes = scope->names;
  for (const auto& [name, value] : klass->attributes) {
    if (auto* function = as<Function>(value)) {
      function->owner = klass;
      function->closure = outer;
    }
  }
  assign_name(m, statement.text, klass);
}

} // namespace faultline::program
