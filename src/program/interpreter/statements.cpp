#include "program/interpreter/statements.hpp"

#include "program/interpreter/assignments.hpp"
#include "program/interpreter/branches.hpp"
#include "program/interpreter/definitions.hpp"
#include "program/interpreter/expressions.hpp"
#include "program/interpreter/imports.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/loops.hpp"
#include "program/values/classes.hpp"

namespace faultline::program {

static Flow execute_with(Interpreter& m, const Syntax& statement);

Flow execute_block(Interpreter& m, const Syntax* block)
{
  if (block == nullptr) {
    return Flow::normal;
  }
  if (block->kind != SyntaxKind::block) {
    return execute(m, block);
  }
  for (const Syntax* statement : block->children) {
    const Flow flow = execute(m, statement);
    if (flow != Flow::normal) {
      return flow;
    }
  }
  return Flow::normal;
}

Flow execute(Interpreter& m, const Syntax* statement)
{
  const Deeper deeper(m);
  if (statement == nullptr || deeper.too_deep() || !m.step()) {
    return Flow::normal;
  }
  m.stand_at(statement->span);
  switch (statement->kind) {
  case SyntaxKind::block:
    return execute_block(m, statement);
  case SyntaxKind::expression: {
    const size_t before = m.calls().size();
    evaluate(m, statement->child(0));
    // The outermost call of the statement is the first recorded whose span is the whole.
    for (size_t i = before; i < m.calls().size(); ++i) {
      if (m.calls()[i].span == statement->child(0)->span) {
        m.calls()[i].discarded = true;
      }
    }
    return Flow::normal;
  }
  case SyntaxKind::assign: {
    // a = b = value
    std::vector<const Syntax*> targets = {statement->child(0)};
    const Syntax* value = statement->child(1);
    while (value != nullptr && value->kind == SyntaxKind::assign) {
      targets.push_back(value->child(0));
      value = value->child(1);
    }
    const Ref result = evaluate(m, value);
    for (const Syntax* target : targets) {
      assign(m, target, result);
    }
    return Flow::normal;
  }
  case SyntaxKind::augment:
    execute_augment(m, *statement);
    return Flow::normal;
  case SyntaxKind::return_: {
    const Ref value = statement->children.empty()       ? m.none()
                      : statement->children.size() == 1 ? evaluate(m, statement->child(0))
                                                        : evaluate_sequence(m, *statement);
    if (!m.frames.empty()) {
      m.frames.back().result =
          m.frames.back().result == nullptr ? value : m.join(m.frames.back().result, value);
    }
    return Flow::returned;
  }
  case SyntaxKind::raise_:
    for (const Syntax* child : statement->children) {
      evaluate(m, child);
    }
    return Flow::raised;
  case SyntaxKind::print:
  case SyntaxKind::exec:
  case SyntaxKind::assert_:
    for (const Syntax* child : statement->children) {
      evaluate(m, child);
    }
    return Flow::normal;
  case SyntaxKind::global:
    for (const Syntax* name : statement->children) {
      m.scope->globals.insert(name->text);
    }
    return Flow::normal;
  case SyntaxKind::nonlocal:
    for (const Syntax* name : statement->children) {
      m.scope->nonlocals.insert(name->text);
    }
    return Flow::normal;
  case SyntaxKind::import:
    execute_import(m, *statement);
    return Flow::normal;
  case SyntaxKind::import_from:
    execute_import_from(m, *statement);
    return Flow::normal;
  case SyntaxKind::if_:
    return execute_if(m, *statement);
  case SyntaxKind::for_:
    return execute_for(m, *statement);
  case SyntaxKind::while_:
    return execute_while(m, *statement);
  case SyntaxKind::try_:
    return execute_try(m, *statement);
  case SyntaxKind::with:
    return execute_with(m, *statement);
  case SyntaxKind::match_:
    return execute_match(m, *statement);
  case SyntaxKind::function:
    define_function(m, *statement);
    return Flow::normal;
  case SyntaxKind::class_:
    define_class(m, *statement);
    return Flow::normal;
  case SyntaxKind::break_:
    return Flow::broke;
  case SyntaxKind::continue_:
    return Flow::continued;
  case SyntaxKind::broken:
    m.gap("syntax not understood", statement->span);
    return Flow::normal;
  default:
    return Flow::normal;
  }
}

static Flow execute_with(Interpreter& m, const Syntax& statement)
{
  // Items nest; each region ends with the statement.
  std::vector<std::unique_ptr<Region>> regions;
  for (size_t i = 0; i + 1 < statement.children.size(); ++i) {
    const Syntax& item = *statement.children[i];
    const Ref manager = evaluate(m, item.child(0));
    regions.push_back(std::make_unique<Region>(m,
                                               Context{.kind = Context::Kind::with,
                                                       .syntax = &statement,
                                                       .span = statement.span,
                                                       .subject = manager}));
    Ref entered = manager;
    if (auto* object = as<Instance>(manager)) {
      if (object->klass != nullptr && find_in_class(*object->klass, "__enter__") != nullptr) {
        entered =
            m.call(m.attribute(object, "__enter__", item.span), std::vector<Ref>{}, item.span);
      } else if (object->api != nullptr && find_method(*object->api, "__enter__") != nullptr) {
        entered =
            m.call(m.attribute(object, "__enter__", item.span), std::vector<Ref>{}, item.span);
      }
    }
    if (item.child(1) != nullptr) {
      assign(m, item.child(1), entered);
    }
  }
  const Flow flow = execute_block(m, statement.children.back());
  while (!regions.empty()) {
    regions.pop_back();
  }
  return flow;
}

} // namespace faultline::program
