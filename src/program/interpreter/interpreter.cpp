#include "program/interpreter/interpreter.hpp"

#include "base/format.hpp"
#include "program/interpreter/attributes.hpp"
#include "program/interpreter/calls.hpp"
#include "program/interpreter/files.hpp"
#include "program/interpreter/items.hpp"
#include "program/interpreter/iteration.hpp"
#include "program/interpreter/uncalled.hpp"
#include "program/libraries/keras/models.hpp"

namespace faultline::program {

Region::Region(Interpreter& interpreter, Context context)
    : m_interpreter(interpreter), m_outer(interpreter.m_context)
{
  context.parent = m_outer;
  context.unit = interpreter.unit;
  m_context = &interpreter.m_program.m_contexts.emplace_back(context);
  interpreter.m_context = m_context;
}

OutsideRegions::OutsideRegions(Interpreter& interpreter)
    : m_interpreter(interpreter), m_outer(interpreter.m_context)
{
  m_frames.swap(interpreter.frames);
  interpreter.m_context = nullptr;
}

OutsideRegions::~OutsideRegions()
{
  m_interpreter.m_context = m_outer;
  m_frames.swap(m_interpreter.frames);
}

Interpreter::Interpreter(Program& program, const ReadFile& read_file, const Limits& all_limits)
    : Machine(program), limits(all_limits), read(read_file)
{
}

void Interpreter::run(std::string path, std::string text)
{
  Unit& main = add_unit(std::move(path), std::move(text));
  main.is_main = true;
  main.syntax = std::make_unique<SyntaxFile>(main.text, 0, limits.nesting);
  for (const Span& error : main.syntax->errors()) {
    gap("syntax error", error);
  }
  read_requirements(*this);
  run_unit(*this, main);
  unit = &main;
  scope = main.globals;
  const Region region(*this, {.kind = Context::Kind::unit, .syntax = &main.syntax->root()});
  build_models(*this);
  run_uncalled(*this);
  build_models(*this);
}

// A model of a library may have nothing to give, or hand on an argument that it did not get.
static Ref or_unknown(Machine& m, Ref value)
{
  return value != nullptr ? value : m.unknown();
}

Ref Interpreter::call(Ref callee, std::vector<Argument> arguments, Span span)
{
  for (Argument& argument : arguments) {
    argument.value = or_unknown(*this, argument.value);
  }
  return or_unknown(*this,
                    call_value(*this, or_unknown(*this, callee), std::move(arguments), span));
}

Ref Interpreter::attribute(Ref object, std::string_view name, Span span)
{
  return or_unknown(*this, attribute_of(*this, or_unknown(*this, object), name, span));
}

void Interpreter::set_attribute(Ref object, std::string_view name, Ref value, Span span)
{
  store_attribute(*this, object, name, value, span);
}

Ref Interpreter::iterate(Ref iterable, Span span)
{
  return or_unknown(*this, one_item_of(*this, or_unknown(*this, iterable), span));
}

Ref Interpreter::item(Ref object, Ref index, Call& call)
{
  return or_unknown(*this,
                    item_at(*this, or_unknown(*this, object), or_unknown(*this, index), call));
}

bool Interpreter::step()
{
  if (++m_steps <= limits.steps) {
    return true;
  }
  if (!m_exhausted) {
    m_exhausted = true;
    gap(format("more than {} steps", limits.steps), m_here);
  }
  return false;
}

Call& Interpreter::record(std::string name, const Api* api, Span span)
{
  Call& call = m_program.m_calls.emplace_back();
  call.order = m_program.m_calls.size() - 1;
  call.name = std::move(name);
  call.api = api;
  call.span = span;
  call.callee = span;
  call.context = m_context;
  call.speculative = speculative;
  return call;
}

Ref Interpreter::finish(Call& call, Ref result)
{
  // A layer that applies an activation has set its own result, which the activation takes.
  if (call.result == nullptr) {
    call.result = result;
  }
  return result;
}

Ref Interpreter::call_row(const Api& row, Ref self, std::vector<Argument> arguments, Span span)
{
  Call& call = record(std::string(row.name), &row, span);
  call.self = self;
  call.arguments = std::move(arguments);
  return finish(call, row.transfer != nullptr ? row.transfer(*this, call) : unknown());
}

void Interpreter::note_name(const ApiName& name, Span span)
{
  m_program.m_name_uses.push_back({name.path, name.written, span, m_context});
}

void Interpreter::note_import(std::string module, std::string name, Span span)
{
  m_program.m_imports.push_back({std::move(module), std::move(name), span});
}

void Interpreter::note_store(Ref object, std::string_view name, Ref value, Span span)
{
  m_program.m_stores.push_back({.order = m_program.m_calls.size(),
                                .object = object,
                                .name = name,
                                .value = value,
                                .span = span,
                                .context = m_context});
}

size_t Interpreter::note_loop(Loop loop)
{
  m_program.m_loops.push_back(loop);
  return m_program.m_loops.size() - 1;
}

Unit& Interpreter::add_unit(std::string path, std::string text)
{
  auto owned = std::make_unique<Unit>();
  owned->number = static_cast<uint32_t>(m_program.m_units.size());
  owned->path = std::move(path);
  owned->text = std::move(text);
  Unit& added = *m_program.m_units.emplace_back(std::move(owned));
  units_by_path[added.path] = &added;
  return added;
}

Scope& Interpreter::add_scope(Unit& of, Scope* around)
{
  auto owned = std::make_unique<Scope>();
  owned->unit = &of;
  owned->parent = around == of.globals ? nullptr : around;
  return *m_program.m_scopes.emplace_back(std::move(owned));
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
