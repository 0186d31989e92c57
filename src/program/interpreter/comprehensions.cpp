#include "program/interpreter/comprehensions.hpp"

#include "program/interpreter/assignments.hpp"
#include "program/interpreter/expressions.hpp"
#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

static void comprehend(
    Interpreter& m, const Syntax& expression, size_t clause, std::vector<Ref>& out, bool& open)
{
  const Deeper deeper(m);
  if (deeper.too_deep()) {
    open = true;
    return;
  }
  if (clause >= expression.children.size()) {
    const Syntax& element = *expression.child(0);
    if (element.kind == SyntaxKind::pair) {
      const Ref key = evaluate(m, element.child(0));
      out.push_back(m.tuple({key, evaluate(m, element.child(1))}));
    } else {
      out.push_back(evaluate(m, &element));
    }
    return;
  }
  const Syntax& part = *expression.children[clause];
  if (part.kind == SyntaxKind::if_clause) {
    const std::optional<bool> known = m.truthiness(evaluate(m, part.child(0)));
    open = open || !known;
    if (known.value_or(true)) {
      comprehend(m, expression, clause + 1, out, open);
    }
    return;
  }
  if (part.kind != SyntaxKind::for_clause) {
    return;
  }
  const Ref iterable = evaluate(m, part.child(1));
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
    items = {m.iterate(iterable, part.child(1) != nullptr ? part.child(1)->span : part.span)};
    open = true;
  }
  for (size_t i = 0; i < items.size() && !m.exhausted(); ++i) {
    if (i >= m.limits.unroll) {
      open = true;
      break;
    }
    assign(m, part.child(0), items[i]);
    comprehend(m, expression, clause + 1, out, open);
  }
}

Ref evaluate_comprehension(Interpreter& m, const Syntax& expression)
{
  Region region(
      m, {.kind = Context::Kind::comprehension, .syntax = &expression, .span = expression.span});
  // Its variables are its own.
  Scope* const outer = m.scope;
  m.scope = &m.add_scope(*m.unit, m.scope);
  std::vector<Ref> items;
  bool open = false;
  comprehend(m, expression, 1, items, open);
  m.scope = outer;
  if (expression.kind == SyntaxKind::dict_comprehension) {
    Dict* made = m.dict();
    made->open = open;
    for (const Ref pair : items) {
      const auto* both = as<Sequence>(pair);
      if (both != nullptr && both->items.size() == 2) {
        made->items.emplace_back(both->items[0], both->items[1]);
      }
    }
    return made;
  }
  Sequence* made = m.list({});
  made->type =
      expression.kind == SyntaxKind::set_comprehension ? Sequence::Type::set : Sequence::Type::list;
  if (!open) {
    made->items = std::move(items);
    return made;
  }
  made->open = true;
  for (const Ref one : items) {
    made->rest = made->rest == nullptr ? one : m.join(made->rest, one);
  }
  return made;
}

} // namespace faultline::program
