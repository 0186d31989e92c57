#include "program/interpreter/loops.hpp"

#include "program/interpreter/assignments.hpp"
#include "program/interpreter/contents.hpp"
#include "program/interpreter/expressions.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/statements.hpp"

#include <algorithm>

namespace faultline::program {

static Flow iteration(Interpreter& m,
                      const Syntax& loop,
                      Ref iterable,
                      size_t number,
                      const Syntax* target,
                      Ref value,
                      const Syntax* body)
{
  Region region(m,
                {.kind = Context::Kind::loop,
                 .syntax = &loop,
                 .span = loop.span,
                 .subject = iterable,
                 .iteration = number});
  size_t fact = 0;
  if (number == 0) {
    fact = m.note_loop({.context = &region.context(),
                        .iterable = iterable,
                        .span = loop.span,
                        .first_call = m.calls().size(),
                        .end_call = 0,
                        .endless = target == nullptr && value != nullptr});
  }
  if (target != nullptr) {
    assign(m, target, value);
  }
  const Flow flow = execute_block(m, body);
  if (number == 0) {
    m.end_loop(fact);
  }
  return flow;
}

Flow execute_for(Interpreter& m, const Syntax& statement)
{
  const Ref iterable = evaluate(m, statement.child(1));
  const Syntax* target = statement.child(0);
  const Syntax* body = statement.child(2);
  std::vector<Ref> items;
  bool exact = false;
  if (const auto* sequence = as<Sequence>(iterable)) {
    items = sequence->items;
    exact = !sequence->open;
    if (sequence->open) {
      items.push_back(sequence->rest != nullptr ? sequence->rest : m.unknown());
    }
  } else if (const auto* object = as<Instance>(iterable);
             object != nullptr && !object->items.empty() && object->api != nullptr &&
             (object->api->role == Role::model || object->api->role == Role::layer)) {
    items = object->items;
    exact = true;
  } else {
    items = {m.iterate(iterable, statement.child(1)->span)};
  }
  if (exact && items.empty()) {
    return execute_block(m, statement.child(3));
  }
  // Of a long loop only the first trips are made, so what hangs on the number of the trip is open.
  constexpr size_t k_few = 16;
  if (exact && items.size() > k_few) {
    for (size_t i = 0; i < 2; ++i) {
      if (const auto* constant = as<Constant>(items[i])) {
        auto* open = m.make<Constant>();
        open->value = constant->value;
        open->assumed = true;
        items[i] = open;
      }
    }
  }
  constexpr size_t k_short = 4; // a list this short is gone through whatever the body does
  size_t built = 0;
  for (size_t i = 0; i < m.limits.unroll && !m.exhausted(); ++i) {
    const bool last = i + 1 >= 2;
    if (i >= items.size() && exact) {
      break;
    }
    const size_t before = m.program().instances().size();
    Ref item = items[std::min(i, items.size() - 1)];
    if (i == 1 && exact && built == 0 && items.size() > k_short) {
      // The last time round stands for all others, so that no branch is left out.
      for (const size_t other : {size_t{2}, size_t{3}, items.size() - 1}) {
        item = m.join(item, items[other]);
      }
    }
    m.trail.begin();
    const Flow flow = iteration(m, statement, iterable, i, target, item, body);
    const Contents changed = m.trail.commit();
    built += static_cast<size_t>(
        std::count_if(m.program().instances().begin() + static_cast<std::ptrdiff_t>(before),
                      m.program().instances().end(),
                      [](const Instance* made) {
                        return made->api->role == Role::layer || made->api->role == Role::model;
                      }));
    if (flow == Flow::returned || flow == Flow::raised) {
      // An unconditional return in a loop over something of unknown length may never be reached.
      return exact ? flow : Flow::normal;
    }
    if (flow == Flow::broke) {
      break;
    }
    const bool builds = built > 0 && exact;
    if (last && !builds && !(exact && items.size() <= k_short)) {
      widen(m, changed);
      break;
    }
    if (!exact && last) {
      break;
    }
  }
  return execute_block(m, statement.child(3));
}

Flow execute_while(Interpreter& m, const Syntax& statement)
{
  const Ref condition = evaluate(m, statement.child(0));
  const std::optional<bool> known = m.truthiness(condition);
  if (known == false && !condition->assumed) {
    return execute_block(m, statement.child(2));
  }
  const bool endless = known == true && !condition->assumed;
  for (size_t i = 0; i < 2 && !m.exhausted(); ++i) {
    m.trail.begin();
    const Flow flow = iteration(
        m, statement, nullptr, i, nullptr, endless ? condition : nullptr, statement.child(1));
    const Contents changed = m.trail.commit();
    if (flow == Flow::returned || flow == Flow::raised) {
      return flow;
    }
    if (flow == Flow::broke) {
      break;
    }
    if (i == 1) {
      widen(m, changed);
    }
    evaluate(m, statement.child(0));
  }
  return Flow::normal;
}

} // namespace faultline::program
