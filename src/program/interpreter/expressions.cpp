#include "program/interpreter/expressions.hpp"

#include "program/interpreter/assignments.hpp"
#include "program/interpreter/comparisons.hpp"
#include "program/interpreter/comprehensions.hpp"
#include "program/interpreter/definitions.hpp"
#include "program/interpreter/imports.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/names.hpp"
#include "program/interpreter/operators.hpp"
#include "program/interpreter/statements.hpp"

namespace faultline::program {

static Ref evaluate_subscript(Interpreter& m, const Syntax& expression);
static Ref evaluate_dict(Interpreter& m, const Syntax& expression);
static Ref evaluate_call(Interpreter& m, const Syntax& expression);
static Ref evaluate_boolean(Interpreter& m, const Syntax& expression);
static Ref evaluate_conditional(Interpreter& m, const Syntax& expression);

Ref evaluate(Interpreter& m, const Syntax* expression)
{
  if (expression == nullptr) {
    return m.none();
  }
  const Deeper deeper(m);
  if (!m.step() || deeper.too_deep()) {
    m.stand_at(expression->span);
    return m.unknown();
  }
  const Span outer = m.here();
  m.stand_at(expression->span);
  Ref result = nullptr;
  switch (expression->kind) {
  case SyntaxKind::name:
    result = evaluate_name(m, *expression);
    break;
  case SyntaxKind::integer:
    result = m.integer(expression->integer);
    break;
  case SyntaxKind::real:
    result = m.real(expression->real);
    break;
  case SyntaxKind::string:
    result = m.string(std::string(expression->text));
    break;
  case SyntaxKind::template_string:
    for (const Syntax* part : expression->children) {
      evaluate(m, part);
    }
    result = m.text();
    break;
  case SyntaxKind::bytes:
    result = m.text();
    break;
  case SyntaxKind::true_:
  case SyntaxKind::false_:
    result = m.boolean(expression->kind == SyntaxKind::true_);
    break;
  case SyntaxKind::none:
    result = m.none();
    break;
  case SyntaxKind::ellipsis:
    result = library_name(m, "builtins.Ellipsis", expression->span);
    break;
  case SyntaxKind::list:
  case SyntaxKind::tuple:
  case SyntaxKind::set:
    result = evaluate_sequence(m, *expression);
    break;
  case SyntaxKind::dict:
    result = evaluate_dict(m, *expression);
    break;
  case SyntaxKind::list_comprehension:
  case SyntaxKind::set_comprehension:
  case SyntaxKind::dict_comprehension:
  case SyntaxKind::generator:
    result = evaluate_comprehension(m, *expression);
    break;
  case SyntaxKind::attribute:
    result = evaluate_attribute(m, *expression, true);
    break;
  case SyntaxKind::subscript:
    result = evaluate_subscript(m, *expression);
    break;
  case SyntaxKind::slice: {
    auto* slice = m.make<Slice>();
    slice->from = evaluate(m, expression->child(0));
    slice->to = evaluate(m, expression->child(1));
    slice->step = evaluate(m, expression->child(2));
    result = slice;
    break;
  }
  case SyntaxKind::call:
    result = evaluate_call(m, *expression);
    break;
  case SyntaxKind::unary:
    result = evaluate_unary(m, *expression);
    break;
  case SyntaxKind::binary: {
    const Ref a = evaluate(m, expression->child(0));
    const Ref b = evaluate(m, expression->child(1));
    result = evaluate_binary(m, expression->text, a, b, *expression, false);
    break;
  }
  case SyntaxKind::compare:
    result = evaluate_compare(m, *expression);
    break;
  case SyntaxKind::both:
  case SyntaxKind::either:
    result = evaluate_boolean(m, *expression);
    break;
  case SyntaxKind::not_: {
    const Ref value = evaluate(m, expression->child(0));
    const std::optional<bool> known = m.truthiness(value);
    result = truth_of(m, known ? std::optional(!*known) : std::nullopt, value->assumed);
    break;
  }
  case SyntaxKind::conditional:
    result = evaluate_conditional(m, *expression);
    break;
  case SyntaxKind::lambda:
    result = evaluate_lambda(m, *expression);
    break;
  case SyntaxKind::named:
    result = evaluate(m, expression->child(0));
    assign_name(m, expression->text, result);
    break;
  case SyntaxKind::await_:
  case SyntaxKind::star:
    result = evaluate(m, expression->child(0));
    break;
  case SyntaxKind::yield_: {
    const Ref value = evaluate(m, expression->child(0));
    if (!m.frames.empty()) {
      Frame& frame = m.frames.back();
      frame.yields = true;
      frame.yielded = frame.yielded == nullptr ? value : m.join(frame.yielded, value);
    }
    result = m.unknown();
    break;
  }
  case SyntaxKind::broken:
    m.gap("syntax not understood", expression->span);
    result = m.unknown();
    break;
  default:
    if (expression->kind >= SyntaxKind::block) { // a statement where an expression was expected
      execute(m, expression);
    }
    result = m.unknown();
  }
  m.stand_at(outer);
  return result != nullptr ? result : m.unknown();
}

Ref evaluate_index(Interpreter& m, const Syntax& subscript)
{
  if (subscript.children.size() <= 2) {
    return evaluate(m, subscript.child(1));
  }
  std::vector<Ref> parts;
  for (size_t i = 1; i < subscript.children.size(); ++i) {
    parts.push_back(evaluate(m, subscript.children[i]));
  }
  return m.tuple(std::move(parts));
}

static Ref evaluate_subscript(Interpreter& m, const Syntax& expression)
{
  const Ref object = evaluate(m, expression.child(0));
  const Ref index = evaluate_index(m, expression);
  m.stand_at(expression.span);
  if (as<Tensor>(object) == nullptr && as<Instance>(object) == nullptr &&
      as<Choice>(object) == nullptr) {
    Call unused;
    unused.span = expression.span;
    return m.item(object, index, unused);
  }
  Call& call = m.record("operator.getitem", find_api("operator.getitem"), expression.span);
  call.arguments = {
      {.name = "a", .value = object, .span = expression.child(0)->span, .given = true},
      {.name = "index",
       .value = index,
       .span = expression.child(1) != nullptr ? expression.child(1)->span : expression.span,
       .given = true}};
  return m.finish(call, m.item(object, index, call));
}

Ref evaluate_sequence(Interpreter& m, const Syntax& expression)
{
  Sequence* made = m.list({});
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
      const Ref more = evaluate(m, child->child(0));
      if (const auto* sequence = as<Sequence>(more)) {
        made->items.insert(made->items.end(), sequence->items.begin(), sequence->items.end());
        made->open = made->open || sequence->open;
        made->rest = made->rest == nullptr ? sequence->rest : made->rest;
      } else {
        made->open = true;
        made->rest = m.iterate(more, child->span);
      }
      continue;
    }
    made->items.push_back(evaluate(m, child));
  }
  return made;
}

static Ref evaluate_dict(Interpreter& m, const Syntax& expression)
{
  Dict* made = m.dict();
  made->origin = expression.span;
  for (const Syntax* child : expression.children) {
    if (child->kind == SyntaxKind::pair) {
      const Ref key = evaluate(m, child->child(0));
      made->items.emplace_back(key, evaluate(m, child->child(1)));
    } else if (const auto* more = as<Dict>(evaluate(m, child->child(0)))) {
      made->items.insert(made->items.end(), more->items.begin(), more->items.end());
      made->open = made->open || more->open;
    } else {
      made->open = true;
    }
  }
  return made;
}

static Ref evaluate_call(Interpreter& m, const Syntax& expression)
{
  const Syntax& callee_syntax = *expression.child(0);
  const Ref callee = evaluate(m, &callee_syntax);
  std::vector<Argument> arguments;
  for (size_t i = 1; i < expression.children.size(); ++i) {
    const Syntax& argument = *expression.children[i];
    if (argument.kind == SyntaxKind::keyword) {
      arguments.push_back({.name = argument.text,
                           .value = evaluate(m, argument.child(0)),
                           .span = argument.child(0)->span,
                           .given = true});
    } else if (argument.kind == SyntaxKind::star) {
      const Ref more = evaluate(m, argument.child(0));
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
      const Ref more = evaluate(m, argument.child(0));
      if (const auto* options = as<Dict>(more)) {
        for (const auto& [key, value] : options->items) {
          if (const std::optional<std::string_view> name = m.to_string(key)) {
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
          {.name = {}, .value = evaluate(m, &argument), .span = argument.span, .given = true});
    }
  }
  m.stand_at(expression.span);
  const size_t before = m.calls().size();
  const Ref result = m.call(callee, std::move(arguments), expression.span);
  if (before < m.calls().size() && m.calls()[before].span == expression.span) {
    m.calls()[before].callee = callee_syntax.span;
  }
  return result;
}

static Ref evaluate_boolean(Interpreter& m, const Syntax& expression)
{
  const bool is_and = expression.kind == SyntaxKind::both;
  const Ref a = evaluate(m, expression.child(0));
  const std::optional<bool> known = m.truthiness(a);
  if (known && !a->assumed && *known != is_and) {
    return a; // the right side is never evaluated
  }
  const Ref b = evaluate(m, expression.child(1));
  if (known && !a->assumed) {
    return b;
  }
  // `x or default` with an x that is not known.
  return a->kind == Kind::number && b->kind == Kind::number ? m.truth() : m.join(a, b);
}

static Ref evaluate_conditional(Interpreter& m, const Syntax& expression)
{
  const Ref condition = evaluate(m, expression.child(1));
  const std::optional<bool> known = m.truthiness(condition);
  if (known && !condition->assumed) {
    return evaluate(m, expression.child(*known ? 0 : 2));
  }
  const Ref then = evaluate(m, expression.child(0));
  return m.join(then, evaluate(m, expression.child(2)));
}

} // namespace faultline::program
