#include "program/interpreter/uncalled.hpp"

#include "program/interpreter/calls.hpp"
#include "program/interpreter/functions.hpp"
#include "program/interpreter/interpreter.hpp"

namespace faultline::program {

static Ref speculative_self(Interpreter& m, Class& owner)
{
  const auto known = m.first_instances.find(&owner);
  return known != m.first_instances.end() ? known->second : call_class(m, owner, {}, owner.origin);
}

static void run_speculatively(Interpreter& m, Function& function)
{
  Ref self = nullptr;
  if (function.owner != nullptr && function.flavour != Function::Flavour::static_method) {
    self = speculative_self(m, *function.owner);
    if (function.ran) { // by the constructor
      return;
    }
  }
  // What a network gets is a tensor, also when nothing else is known of it.
  const bool is_forward = function.owner != nullptr && function.owner->api_base != nullptr &&
                          (function.name == "forward" || function.name == "call");
  std::vector<Argument> arguments;
  const Syntax& parameters = *function.definition->child(0);
  for (size_t i = self != nullptr ? 1 : 0; i < parameters.children.size(); ++i) {
    const Syntax& parameter = *parameters.children[i];
    if (!parameter.extra.empty() || parameter.child(0) != nullptr) {
      break;
    }
    m.stand_at(parameter.span);
    Ref value = m.unknown();
    if (is_forward) {
      const bool torch = function.owner->api_base->name.starts_with("torch");
      value = m.data(torch ? Library::torch : Library::keras, Shape::top(), {}, Interval::top());
    }
    arguments.push_back(
        {.name = parameter.text, .value = value, .span = parameter.span, .given = true});
  }
  call_function(m, function, self, std::move(arguments), function.origin);
}

void run_uncalled(Interpreter& m)
{
  m.speculative = true;
  // More may be defined on the way (nested functions); those are not run on their own.
  const std::vector<Function*> functions = m.functions;
  for (Function* function : functions) {
    if (!function->ran && !m.exhausted()) {
      run_speculatively(m, *function);
    }
  }
}

} // namespace faultline::program
