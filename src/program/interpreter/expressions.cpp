#include "base/format.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/values/classes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace faultline::program {

Ref Interpreter::evaluate(const Syntax* expression)
{
  if (expression == nullptr) {
    return none();
  }
  const Deeper deeper(*this);
  if (!step() || deeper.too_deep()) {
    m_here = expression->span;
    return unknown();
  }
  const Span outer = m_here;
  m_here = expression->span;
  Ref result = nullptr;
  switch (expression->kind) {
  case SyntaxKind::name:
    result = evaluate_name(*expression);
    break;
  case SyntaxKind::integer:
    result = integer(expression->integer);
    break;
  case SyntaxKind::real:
    result = real(expression->real);
    break;
  case SyntaxKind::string:
    result = string(std::string(expression->text));
    break;
  case SyntaxKind::template_string:
    for (const Syntax* part : expression->children) {
      evaluate(part);
    }
    result = text();
    break;
  case SyntaxKind::bytes:
    result = text();
    break;
  case SyntaxKind::true_:
  case SyntaxKind::false_:
    result = boolean(expression->kind == SyntaxKind::true_);
    break;
  case SyntaxKind::none:
    result = none();
    break;
  case SyntaxKind::ellipsis:
    result = library("builtins.Ellipsis", expression->span);
    break;
  case SyntaxKind::list:
  case SyntaxKind::tuple:
  case SyntaxKind::set:
    result = evaluate_sequence(*expression);
    break;
  case SyntaxKind::dict:
    result = evaluate_dict(*expression);
    break;
  case SyntaxKind::list_comprehension:
  case SyntaxKind::set_comprehension:
  case SyntaxKind::dict_comprehension:
  case SyntaxKind::generator:
    result = evaluate_comprehension(*expression);
    break;
  case SyntaxKind::attribute:
    result = evaluate_attribute(*expression, true);
    break;
  case SyntaxKind::subscript:
    result = evaluate_subscript(*expression);
    break;
  case SyntaxKind::slice: {
    auto* slice = make<Slice>();
    slice->from = evaluate(expression->child(0));
    slice->to = evaluate(expression->child(1));
    slice->step = evaluate(expression->child(2));
    result = slice;
    break;
  }
  case SyntaxKind::call:
    result = evaluate_call(*expression);
    break;
  case SyntaxKind::unary:
    result = evaluate_unary(*expression);
    break;
  case SyntaxKind::binary: {
    const Ref a = evaluate(expression->child(0));
    const Ref b = evaluate(expression->child(1));
    result = evaluate_binary(expression->text, a, b, *expression, false);
    break;
  }
  case SyntaxKind::compare:
    result = evaluate_compare(*expression);
    break;
  case SyntaxKind::both:
  case SyntaxKind::either:
    result = evaluate_boolean(*expression);
    break;
  case SyntaxKind::not_: {
    const Ref value = evaluate(expression->child(0));
    const std::optional<bool> known = truthiness(value);
    result = truth_of(known ? std::optional(!*known) : std::nullopt, value->assumed);
    break;
  }
  case SyntaxKind::conditional:
    result = evaluate_conditional(*expression);
    break;
  case SyntaxKind::lambda:
    result = evaluate_lambda(*expression);
    break;
  case SyntaxKind::named:
    result = evaluate(expression->child(0));
    assign_name(expression->text, result);
    break;
  case SyntaxKind::await_:
  case SyntaxKind::star:
    result = evaluate(expression->child(0));
    break;
  case SyntaxKind::yield_: {
    const Ref value = evaluate(expression->child(0));
    if (!m_frames.empty()) {
      Frame& frame = m_frames.back();
      frame.yields = true;
      frame.yielded = frame.yielded == nullptr ? value : join(frame.yielded, value);
    }
    result = unknown();
    break;
  }
  case SyntaxKind::broken:
    gap("syntax not understood", expression->span);
    result = unknown();
    break;
  default:
    if (expression->kind >= SyntaxKind::block) { // a statement where an expression was expected
      execute(expression);
    }
    result = unknown();
  }
  m_here = outer;
  return result;
}

Scope* Interpreter::scope_of(std::string_view name)
{
  for (Scope* scope = m_scope; scope != nullptr; scope = scope->parent) {
    if (scope->names.contains(name)) {
      return scope;
    }
  }
  Scope* globals = m_unit->globals;
  return globals->names.contains(name) ? globals : nullptr;
}

Ref Interpreter::evaluate_name(const Syntax& expression)
{
  const std::string_view name = expression.text;
  if (Scope* scope = scope_of(name)) {
    Ref& held = scope->names[name];
    const Ref value = resolve(held);
    if (value != held && scope->names.contains(name)) {
      scope->names[name] = value; // found out once and for all
    }
    return value;
  }
  if (const Api* api = find_api(std::string("builtins.") + std::string(name))) {
    auto* made = make<ApiName>();
    made->path = std::string(api->name);
    made->written = made->path;
    made->api = api;
    return made;
  }
  for (Scope* scope = m_scope; scope != nullptr; scope = scope->parent != nullptr ? scope->parent
                                                         : scope != m_unit->globals
                                                             ? m_unit->globals
                                                             : nullptr) {
    for (const std::string& module : scope->star_imports) {
      const std::string path = canonical_path(module + "." + std::string(name));
      if (find_api(path) != nullptr || is_namespace(path)) {
        return library(path, expression.span);
      }
    }
  }
  return unknown();
}

void Interpreter::note_name(const ApiName& name, Span span)
{
  m_program.m_name_uses.push_back({name.path, name.written, span, m_context});
}

Ref Interpreter::evaluate_attribute(const Syntax& expression, bool outermost)
{
  const Syntax& object = *expression.child(0);
  // super().method: looked up in the bases of the class around.
  if (object.kind == SyntaxKind::call && object.child(0)->kind == SyntaxKind::name &&
      object.child(0)->text == "super") {
    return evaluate_super(expression.text, expression.span);
  }
  const Ref value =
      object.kind == SyntaxKind::attribute ? evaluate_attribute(object, false) : evaluate(&object);
  m_here = expression.span;
  const Ref result = attribute(value, expression.text, expression.span);
  if (outermost) {
    if (const auto* name = as<ApiName>(result); name != nullptr && name->self == nullptr) {
      note_name(*name, expression.span);
    }
  }
  return result;
}

Ref Interpreter::evaluate_super(std::string_view name, Span span)
{
  // The innermost method, looking through functions nested in it.
  for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame) {
    Class* owner = frame->function->owner;
    if (owner == nullptr || frame->self == nullptr) {
      continue;
    }
    for (const Ref base : owner->bases) {
      if (const auto* parent = as<Class>(base)) {
        if (const Ref found = find_in_class(*parent, name)) {
          auto* function = as<Function>(found);
          return function != nullptr ? bind_method(*function, frame->self) : found;
        }
        if (parent->api_base != nullptr) {
          return method(*parent->api_base, parent->api_base->name, frame->self, name, span);
        }
      } else if (const auto* library_base = as<ApiName>(base);
                 library_base != nullptr && library_base->api != nullptr) {
        return method(*library_base->api, library_base->path, frame->self, name, span);
      }
    }
    if (owner->bases.empty() && owner->api_base == nullptr) {
      return unknown();
    }
    break;
  }
  return unknown();
}

// x[i] has one index, x[i, j] a tuple.
Ref Interpreter::evaluate_index(const Syntax& subscript)
{
  if (subscript.children.size() <= 2) {
    return evaluate(subscript.child(1));
  }
  std::vector<Ref> parts;
  for (size_t i = 1; i < subscript.children.size(); ++i) {
    parts.push_back(evaluate(subscript.children[i]));
  }
  return tuple(std::move(parts));
}

Ref Interpreter::evaluate_subscript(const Syntax& expression)
{
  const Ref object = evaluate(expression.child(0));
  const Ref index = evaluate_index(expression);
  m_here = expression.span;
  if (as<Tensor>(object) == nullptr && as<Instance>(object) == nullptr &&
      as<Choice>(object) == nullptr) {
    Call unused;
    unused.span = expression.span;
    return item(object, index, unused);
  }
  Call& call = record("operator.getitem", find_api("operator.getitem"), expression.span);
  call.arguments = {
      {.name = "a", .value = object, .span = expression.child(0)->span, .given = true},
      {.name = "index",
       .value = index,
       .span = expression.child(1) != nullptr ? expression.child(1)->span : expression.span,
       .given = true}};
  return finish(call, item(object, index, call));
}

Ref Interpreter::evaluate_sequence(const Syntax& expression)
{
  Sequence* made = list({});
  made->origin = expression.span;
  made->type = expression.kind == SyntaxKind::list  ? Sequence::Type::list
               : expression.kind == SyntaxKind::set ? Sequence::Type::set
                                                    : Sequence::Type::tuple;
  constexpr size_t k_most_items = 20'000; // of a literal; the rest is like the first
  for (const Syntax* child : expression.children) {
    if (made->items.size() >= k_most_items) {
      made->open = true;
      made->rest = made->items.front();
      break;
    }
    if (child->kind == SyntaxKind::star) {
      const Ref more = evaluate(child->child(0));
      if (const auto* sequence = as<Sequence>(more)) {
        made->items.insert(made->items.end(), sequence->items.begin(), sequence->items.end());
        made->open = made->open || sequence->open;
        made->rest = made->rest == nullptr ? sequence->rest : made->rest;
      } else {
        made->open = true;
        made->rest = iterate(more, child->span);
      }
      continue;
    }
    made->items.push_back(evaluate(child));
  }
  return made;
}

Ref Interpreter::evaluate_dict(const Syntax& expression)
{
  Dict* made = dict();
  made->origin = expression.span;
  for (const Syntax* child : expression.children) {
    if (child->kind == SyntaxKind::pair) {
      const Ref key = evaluate(child->child(0));
      made->items.emplace_back(key, evaluate(child->child(1)));
    } else if (const auto* more = as<Dict>(evaluate(child->child(0)))) {
      made->items.insert(made->items.end(), more->items.begin(), more->items.end());
      made->open = made->open || more->open;
    } else {
      made->open = true;
    }
  }
  return made;
}

void Interpreter::comprehend(const Syntax& expression,
                             size_t clause,
                             std::vector<Ref>& out,
                             bool& open)
{
  const Deeper deeper(*this);
  if (deeper.too_deep()) {
    open = true;
    return;
  }
  if (clause >= expression.children.size()) {
    const Syntax& element = *expression.child(0);
    if (element.kind == SyntaxKind::pair) {
      const Ref key = evaluate(element.child(0));
      out.push_back(tuple({key, evaluate(element.child(1))}));
    } else {
      out.push_back(evaluate(&element));
    }
    return;
  }
  const Syntax& part = *expression.children[clause];
  if (part.kind == SyntaxKind::if_clause) {
    const std::optional<bool> known = truthiness(evaluate(part.child(0)));
    open = open || !known;
    if (known.value_or(true)) {
      comprehend(expression, clause + 1, out, open);
    }
    return;
  }
  if (part.kind != SyntaxKind::for_clause) {
    return;
  }
  const Ref iterable = evaluate(part.child(1));
  std::vector<Ref> items;
  if (const auto* sequence = as<Sequence>(iterable)) {
    items = sequence->items;
    open = open || sequence->open;
    if (sequence->open && sequence->rest != nullptr) {
      items.push_back(sequence->rest);
    }
  } else if (const auto* object = as<Instance>(iterable);
             object != nullptr && !object->items.empty()) {
    items = object->items;
  } else {
    items = {iterate(iterable, part.child(1) != nullptr ? part.child(1)->span : part.span)};
    open = true;
  }
  for (size_t i = 0; i < items.size() && !m_exhausted; ++i) {
    if (i >= m_limits.unroll) {
      open = true;
      break;
    }
    assign(part.child(0), items[i]);
    comprehend(expression, clause + 1, out, open);
  }
}

Ref Interpreter::evaluate_comprehension(const Syntax& expression)
{
  Region region(
      *this,
      {.kind = Context::Kind::comprehension, .syntax = &expression, .span = expression.span});
  // Its variables are its own.
  auto owned = std::make_unique<Scope>();
  owned->unit = m_unit;
  owned->parent = m_scope == m_unit->globals ? nullptr : m_scope;
  Scope* const outer = m_scope;
  m_scope = m_program.m_scopes.emplace_back(std::move(owned)).get();
  std::vector<Ref> items;
  bool open = false;
  comprehend(expression, 1, items, open);
  m_scope = outer;
  if (expression.kind == SyntaxKind::dict_comprehension) {
    Dict* made = dict();
    made->open = open;
    for (const Ref pair : items) {
      const auto* both = as<Sequence>(pair);
      if (both != nullptr && both->items.size() == 2) {
        made->items.emplace_back(both->items[0], both->items[1]);
      }
    }
    return made;
  }
  Sequence* made = list({});
  made->type =
      expression.kind == SyntaxKind::set_comprehension ? Sequence::Type::set : Sequence::Type::list;
  if (!open) {
    made->items = std::move(items);
    return made;
  }
  made->open = true;
  for (const Ref one : items) {
    made->rest = made->rest == nullptr ? one : join(made->rest, one);
  }
  return made;
}

Ref Interpreter::evaluate_lambda(const Syntax& expression)
{
  auto* function = make<Function>();
  function->definition = &expression;
  function->unit = m_unit;
  function->closure = m_scope;
  function->name = "<lambda>";
  for (const Syntax* parameter : expression.child(0)->children) {
    function->defaults.push_back(parameter->child(0) != nullptr ? evaluate(parameter->child(0))
                                                                : nullptr);
  }
  return function;
}

Ref Interpreter::evaluate_call(const Syntax& expression)
{
  const Syntax& callee_syntax = *expression.child(0);
  const Ref callee = evaluate(&callee_syntax);
  std::vector<Argument> arguments;
  for (size_t i = 1; i < expression.children.size(); ++i) {
    const Syntax& argument = *expression.children[i];
    if (argument.kind == SyntaxKind::keyword) {
      arguments.push_back({.name = argument.text,
                           .value = evaluate(argument.child(0)),
                           .span = argument.child(0)->span,
                           .given = true});
    } else if (argument.kind == SyntaxKind::star) {
      const Ref more = evaluate(argument.child(0));
      if (const auto* sequence = as<Sequence>(more); sequence != nullptr && !sequence->open) {
        for (const Ref one : sequence->items) {
          arguments.push_back({.name = {}, .value = one, .span = argument.span, .given = true});
        }
      } else if (const auto* object = as<Instance>(more);
                 object != nullptr && !object->items.empty()) {
        for (const Ref one : object->items) {
          arguments.push_back({.name = {}, .value = one, .span = argument.span, .given = true});
        }
      } else {
        arguments.push_back({.name = "*", .value = more, .span = argument.span, .given = true});
      }
    } else if (argument.kind == SyntaxKind::double_star) {
      const Ref more = evaluate(argument.child(0));
      if (const auto* options = as<Dict>(more)) {
        for (const auto& [key, value] : options->items) {
          if (const std::optional<std::string_view> name = to_string(key)) {
            arguments.push_back(
                {.name = *name, .value = value, .span = argument.span, .given = true});
          }
        }
        if (options->open) {
          arguments.push_back({.name = "**", .value = more, .span = argument.span, .given = true});
        }
      } else {
        arguments.push_back({.name = "**", .value = more, .span = argument.span, .given = true});
      }
    } else {
      arguments.push_back(
          {.name = {}, .value = evaluate(&argument), .span = argument.span, .given = true});
    }
  }
  m_here = expression.span;
  const size_t before = m_program.m_calls.size();
  const Ref result = call(callee, std::move(arguments), expression.span);
  if (before < m_program.m_calls.size() && m_program.m_calls[before].span == expression.span) {
    m_program.m_calls[before].callee = callee_syntax.span;
  }
  return result;
}

Ref Interpreter::truth_of(std::optional<bool> known, bool assumed)
{
  if (!known) {
    return truth();
  }
  const Ref made = boolean(*known);
  made->assumed = assumed;
  return made;
}

Ref Interpreter::evaluate_boolean(const Syntax& expression)
{
  const bool is_and = expression.kind == SyntaxKind::both;
  const Ref a = evaluate(expression.child(0));
  const std::optional<bool> known = truthiness(a);
  if (known && !a->assumed && *known != is_and) {
    return a; // the right side is never evaluated
  }
  const Ref b = evaluate(expression.child(1));
  if (known && !a->assumed) {
    return b;
  }
  // `x or default` with an x that is not known.
  return a->kind == Kind::number && b->kind == Kind::number ? truth() : join(a, b);
}

Ref Interpreter::evaluate_conditional(const Syntax& expression)
{
  const Ref condition = evaluate(expression.child(1));
  const std::optional<bool> known = truthiness(condition);
  if (known && !condition->assumed) {
    return evaluate(expression.child(*known ? 0 : 2));
  }
  const Ref then = evaluate(expression.child(0));
  return join(then, evaluate(expression.child(2)));
}

} // namespace faultline::program
