#include "program/interpreter/functions.hpp"

#include "program/interpreter/expressions.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/statements.hpp"

#include <algorithm>

namespace faultline::program {

static void bind_parameters(Interpreter& m,
                            const Function& function,
                            Scope& scope,
                            Ref self,
                            std::vector<Argument> arguments,
                            Span span)
{
  const std::vector<const Syntax*>& parameters = function.definition->child(0)->children;
  const bool spread = std::ranges::any_of(arguments, [](const Argument& argument) {
    return argument.name == "*" || argument.name == "**";
  });
  std::vector<Ref> positional;
  if (self != nullptr) {
    positional.push_back(self);
  }
  std::vector<const Argument*> keywords;
  for (const Argument& argument : arguments) {
    if (argument.name.empty()) {
      positional.push_back(argument.value);
    } else if (argument.name != "*" && argument.name != "**") {
      keywords.push_back(&argument);
    }
  }
  size_t next = 0;
  bool keyword_only = false;
  std::vector<bool> used(keywords.size(), false);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Syntax& parameter = *parameters[i];
    if (parameter.extra == "*") {
      keyword_only = true;
      if (!parameter.text.empty()) {
        Sequence* rest = m.tuple({});
        for (; next < positional.size(); ++next) {
          rest->items.push_back(positional[next]);
        }
        rest->open = spread;
        scope.names[parameter.text] = rest;
      }
      continue;
    }
    if (parameter.extra == "**") {
      Dict* rest = m.dict();
      for (size_t k = 0; k < keywords.size(); ++k) {
        if (!used[k]) {
          rest->items.emplace_back(m.string(std::string(keywords[k]->name)), keywords[k]->value);
        }
      }
      rest->open = spread;
      scope.names[parameter.text] = rest;
      continue;
    }
    if (parameter.extra == "/") {
      continue;
    }
    Ref value = nullptr;
    if (!keyword_only && next < positional.size()) {
      value = positional[next++];
    }
    for (size_t k = 0; k < keywords.size(); ++k) {
      if (keywords[k]->name == parameter.text) {
        value = keywords[k]->value;
        used[k] = true;
      }
    }
    if (value == nullptr) {
      if (const auto option = function.options.find(parameter.text);
          option != function.options.end()) {
        value = option->second;
      } else if (i < function.defaults.size() && function.defaults[i] != nullptr && !spread) {
        value = function.defaults[i];
      } else {
        m.stand_at(span);
        value = m.unknown();
      }
    }
    scope.names[parameter.text] = value;
  }
}

Ref call_function(
    Interpreter& m, Function& function, Ref self, std::vector<Argument> arguments, Span span)
{
  function.ran = true;
  const auto active =
      static_cast<size_t>(std::ranges::count_if(m.frames, [&function](const Frame& frame) {
        return frame.function->definition == function.definition;
      }));
  if (m.call_depth >= m.limits.call_depth || active >= m.limits.recursion || m.exhausted()) {
    m.stand_at(span);
    return m.unknown();
  }
  if (function.flavour == Function::Flavour::class_method && self == nullptr) {
    self = function.owner;
  }
  Scope* scope = &m.add_scope(*function.unit, function.closure);
  bind_parameters(m, function, *scope, self, std::move(arguments), span);

  Scope* const outer_scope = m.scope;
  Unit* const outer_unit = m.unit;
  const Span outer_here = m.here();
  m.scope = scope;
  m.unit = function.unit;
  ++m.call_depth;
  m.frames.push_back({.function = &function, .self = self, .scope = scope});
  Ref result = nullptr;
  {
    Region region(m,
                  {.kind = Context::Kind::function,
                   .syntax = function.definition,
                   .span = span,
                   .subject = &function,
                   .self = self});
    const Syntax* body = function.definition->child(1);
    if (function.definition->kind == SyntaxKind::lambda) {
      result = evaluate(m, body);
    } else {
      const Flow flow = execute_block(m, body);
      const Frame& frame = m.frames.back();
      if (frame.yields) {
        result = m.open_list(frame.yielded);
      } else if (frame.result == nullptr) {
        result = flow == Flow::raised ? m.unknown() : m.none();
      } else {
        result = frame.result;
      }
    }
  }
  m.frames.pop_back();
  --m.call_depth;
  m.scope = outer_scope;
  m.unit = outer_unit;
  m.stand_at(outer_here);
  return result;
}

} // namespace faultline::program
