#include "program/interpreter/interpreter.hpp"

#include "base/format.hpp"
#include "program/libraries/keras/models.hpp"

#include <algorithm>

namespace faultline::program {

Region::Region(Interpreter& interpreter, Context context)
    : m_interpreter(interpreter), m_outer(interpreter.m_context)
{
  context.parent = m_outer;
  context.unit = interpreter.m_unit;
  m_context = &interpreter.m_program.m_contexts.emplace_back(context);
  interpreter.m_context = m_context;
}

Region::~Region()
{
  m_interpreter.m_context = m_outer;
}

Interpreter::Interpreter(Program& program, const ReadFile& read, const Limits& limits)
    : Machine(program), m_read(read), m_limits(limits)
{
}

bool Interpreter::step()
{
  if (++m_steps <= m_limits.steps) {
    return true;
  }
  if (!m_exhausted) {
    m_exhausted = true;
    gap(format("more than {} steps", m_limits.steps), m_here);
  }
  return false;
}

void Interpreter::run(std::string path, std::string text)
{
  auto unit = std::make_unique<Unit>();
  unit->path = std::move(path);
  unit->text = std::move(text);
  unit->is_main = true;
  unit->syntax = std::make_unique<SyntaxFile>(unit->text, 0, m_limits.nesting);
  Unit& main = *m_program.m_units.emplace_back(std::move(unit));
  m_units_by_path[main.path] = &main;
  for (const Span& error : main.syntax->errors()) {
    gap("syntax error", error);
  }
  read_requirements();
  run_unit(main);
  m_unit = &main;
  m_scope = main.globals;
  Region region(*this, {.kind = Context::Kind::unit, .syntax = &main.syntax->root()});
  build_models(*this);
  run_uncalled();
  build_models(*this);
}

void Interpreter::run_unit(Unit& unit)
{
  unit.state = Unit::State::running;
  auto scope = std::make_unique<Scope>();
  unit.globals = scope.get();
  unit.globals->unit = &unit;
  m_program.m_scopes.push_back(std::move(scope));
  Unit* const outer_unit = m_unit;
  Scope* const outer_scope = m_scope;
  m_unit = &unit;
  m_scope = unit.globals;
  m_scope->names["__name__"] = string(unit.is_main ? "__main__" : "module");
  m_scope->names["__file__"] = this->text();
  {
    Region region(*this, {.kind = Context::Kind::unit, .syntax = &unit.syntax->root()});
    execute_block(&unit.syntax->root());
  }
  m_unit = outer_unit;
  m_scope = outer_scope;
  unit.state = Unit::State::done;
}

// Functions that nothing called are run with arguments of which nothing is known, so that what is
// wrong in them whatever they get is seen. Methods get an object of their class.
void Interpreter::run_uncalled()
{
  m_speculative = true;
  // More may be defined on the way (nested functions); those are not run on their own.
  const std::vector<Function*> functions = m_functions;
  for (Function* function : functions) {
    if (!function->ran && !m_exhausted) {
      run_speculatively(*function);
    }
  }
}

Ref Interpreter::speculative_self(Class& owner)
{
  const auto known = m_first_instances.find(&owner);
  return known != m_first_instances.end() ? known->second : call_class(owner, {}, owner.origin);
}

void Interpreter::run_speculatively(Function& function)
{
  Ref self = nullptr;
  if (function.owner != nullptr && function.flavour != Function::Flavour::static_method) {
    self = speculative_self(*function.owner);
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
    m_here = parameter.span;
    Ref value = unknown();
    if (is_forward) {
      const bool torch = function.owner->api_base->name.starts_with("torch");
      value = data(torch ? Library::torch : Library::keras, Shape::top(), {}, Interval::top());
    }
    arguments.push_back(
        {.name = parameter.text, .value = value, .span = parameter.span, .given = true});
  }
  call_function(function, self, std::move(arguments), function.origin);
}

std::unique_ptr<const Program>
analyse(std::string path, std::string text, const ReadFile& read, const Limits& limits)
{
  auto program = std::make_unique<Program>();
  Interpreter interpreter(*program, read, limits);
  interpreter.run(std::move(path), std::move(text));
  return program;
}

} // namespace faultline::program
