#include "program/interpreter/branches.hpp"

#include "program/interpreter/assignments.hpp"
#include "program/interpreter/contents.hpp"
#include "program/interpreter/expressions.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/statements.hpp"

#include <algorithm>
#include <functional>

namespace faultline::program {

static Flow branch(Interpreter& m, const std::vector<std::function<Flow()>>& alternatives)
{
  std::vector<Contents> outcomes;
  std::vector<Flow> flows;
  for (const std::function<Flow()>& alternative : alternatives) {
    m.trail.begin();
    const Flow flow = alternative();
    Contents outcome = m.trail.undo();
    flows.push_back(flow);
    // A path that left the function leaves nothing behind in it.
    if (flow != Flow::returned && flow != Flow::raised) {
      outcomes.push_back(std::move(outcome));
    }
  }
  if (outcomes.empty()) {
    return std::ranges::find(flows, Flow::returned) != flows.end() ? Flow::returned : Flow::raised;
  }
  keep_either(m, outcomes);
  if (std::ranges::find(flows, Flow::normal) != flows.end()) {
    return Flow::normal;
  }
  return std::ranges::find(flows, Flow::continued) != flows.end() ? Flow::continued : Flow::broke;
}

Flow execute_if(Interpreter& m, const Syntax& statement)
{
  const Ref condition = evaluate(m, statement.child(0));
  const std::optional<bool> known = m.truthiness(condition);
  const auto run = [&](size_t side) {
    Region region(m,
                  {.kind = Context::Kind::branch,
                   .syntax = &statement,
                   .span = statement.span,
                   .subject = condition,
                   .iteration = side});
    return execute_block(m, statement.child(side));
  };
  if (known && !condition->assumed) {
    return execute_block(m, statement.child(*known ? 1 : 2));
  }
  return branch(m, {[&] { return run(1); }, [&] { return run(2); }});
}

Flow execute_try(Interpreter& m, const Syntax& statement)
{
  const size_t handlers = statement.split;
  Flow flow = execute_block(m, statement.child(0));
  if (flow == Flow::raised && handlers > 0) {
    flow = Flow::normal;
  }
  const Syntax* otherwise = statement.child(1 + handlers);
  if (flow == Flow::normal && otherwise != nullptr) {
    flow = execute_block(m, otherwise);
  }
  for (size_t i = 0; i < handlers; ++i) {
    const Syntax& handler = *statement.child(1 + i);
    const auto run = [&] {
      Region region(m, {.kind = Context::Kind::handler, .syntax = &handler, .span = handler.span});
      if (handler.child(0) != nullptr) {
        evaluate(m, handler.child(0));
      }
      if (!handler.text.empty()) {
        assign_name(m, handler.text, m.unknown());
      }
      return execute_block(m, handler.child(1));
    };
    // A handler that does not come back does not count against the path that needs none.
    const Flow after = branch(m, {[] { return Flow::normal; }, run});
    if (flow != Flow::normal && after == Flow::normal && flow != Flow::returned) {
      flow = Flow::normal;
    }
  }
  const Flow last = execute_block(m, statement.child(2 + handlers));
  return last == Flow::normal ? flow : last;
}

Flow execute_match(Interpreter& m, const Syntax& statement)
{
  std::vector<std::function<Flow()>> cases;
  for (const Syntax* one : statement.children) {
    cases.push_back([&m, one] { return execute_block(m, one->child(0)); });
  }
  cases.push_back([] { return Flow::normal; });
  return branch(m, cases);
}

} // namespace faultline::program
