#pragma once

// Evaluates a module as Python would, on abstract values. What is not understood becomes unknown
// and the run goes on. Branches that depend on the run are both taken and joined; loops are
// unrolled while they build things, else run twice and widened; functions are inlined.
//
// The class holds what the parts share: where the run is, what it may still spend, what it has
// met. The parts are functions on it, one idea a file: statements.hpp and expressions.hpp tell the
// kinds of syntax apart and hand over to branches, loops, assignments, definitions, imports and
// calls, names, operators, items.

#include "program/machine/machine.hpp"
#include "program/values/scope.hpp"
#include "program/values/trail.hpp"

#include <map>
#include <string>
#include <vector>

namespace faultline::program {

// How a statement ended.
enum class Flow { normal, returned, broke, continued, raised };

// One call of a function of the program.
struct Frame {
  Function* function = nullptr;
  Ref self = nullptr; // may be null
  Scope* scope = nullptr;
  Ref result = nullptr; // joined over the returns met so far; null if none
  Ref yielded = nullptr;
  bool yields = false;
};

class Interpreter final : public Machine {
public:
  Interpreter(Program& program, const ReadFile& read, const Limits& limits);

  void run(std::string path, std::string text);

  // Machine. The part that knows does it.
  using Machine::call;
  Ref call(Ref callee, std::vector<Argument> arguments, Span span) override;
  Ref attribute(Ref object, std::string_view name, Span span) override;
  void set_attribute(Ref object, std::string_view name, Ref value, Span span) override;
  Ref iterate(Ref iterable, Span span) override;
  Ref item(Ref object, Ref index, Call& call) override;
  void touch(Container& container) override { trail.touch(container); }
  const Context* context() const override { return m_context; }
  using Machine::calls;
  using Machine::make;

  // --- Where the run is. ---
  Span here() const { return m_here; } // the expression being evaluated
  void stand_at(Span span) { m_here = span; }
  Scope* scope = nullptr; // the names of the function, class body or file
  Unit* unit = nullptr;
  std::vector<Frame> frames;
  Trail trail;
  size_t depth = 0; // evaluations on the way; see Deeper
  size_t call_depth = 0;
  bool speculative = false; // in a function that nothing calls

  // --- What it may still spend. ---
  const Limits& limits;
  bool step(); // false once the budget is spent
  bool exhausted() const { return m_exhausted; }

  // --- What it has met. ---
  const ReadFile& read;
  std::map<std::string, Unit*> units_by_path;  // null: there is no such file
  std::vector<Function*> functions;            // of the main file, in order of definition
  std::map<std::string_view, Ref> literals;    // defaults in signatures of libraries, by their text
  std::map<const Class*, Ref> first_instances; // one object of each class, if there is any

  // --- What it records. ---
  Call& record(std::string name, const Api* api, Span span);
  static Ref finish(Call& call, Ref result);
  // The value of a row that is no function of its arguments alone: recorded as its call with
  // `self`.
  Ref call_row(const Api& row, Ref self, std::vector<Argument> arguments, Span span);
  void note_name(const ApiName& name, Span span);
  void note_import(std::string module, std::string name, Span span);
  void note_class(Class& klass) { m_program.m_classes.push_back(&klass); }
  void note_instance(Instance& object) { m_program.m_instances.push_back(&object); }
  void note_store(Ref object, std::string_view name, Ref value, Span span);
  size_t note_loop(Loop loop); // its number
  void end_loop(size_t number) { m_program.m_loops[number].end_call = m_program.m_calls.size(); }
  void note_pins(std::map<std::string, Version> pins) { m_program.m_pins = std::move(pins); }
  Unit& add_unit(std::string path, std::string text);
  // Names of their own inside those `around`; the names of the file are found without a chain.
  Scope& add_scope(Unit& of, Scope* around);

private:
  friend class Region;
  friend class OutsideRegions;
  const Context* m_context = nullptr;
  size_t m_steps = 0;
  bool m_exhausted = false;
};

// One more evaluation within those on the way, for as long as it lives. Whatever comes back to
// itself through the program (an attribute that is a property, an object that iterates over itself,
// a model inside of itself) comes through one of these.
class Deeper {
public:
  explicit Deeper(Interpreter& m) : m_depth(m.depth), m_too_deep(++m.depth > m.limits.depth) {}
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  ~Deeper() { --m_depth; }
  bool too_deep() const { return m_too_deep; }

private:
  size_t& m_depth;
  bool m_too_deep;
};

// Enters a region of code for as long as it lives.
class Region {
public:
  Region(Interpreter& interpreter, Context context);
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region() { m_interpreter.m_context = m_outer; }
  const Context& context() const { return *m_context; }

private:
  Interpreter& m_interpreter;
  const Context* m_outer;
  const Context* m_context;
};

// Leaves all regions and calls for as long as it lives: what a file does when imported happens
// once, not in the branch that imports it, and is not speculation of ours.
class OutsideRegions {
public:
  explicit OutsideRegions(Interpreter& interpreter);
  OutsideRegions(const OutsideRegions&) = delete;
  OutsideRegions& operator=(const OutsideRegions&) = delete;
  ~OutsideRegions();

private:
  Interpreter& m_interpreter;
  const Context* m_outer;
  std::vector<Frame> m_frames;
};

} // namespace faultline::program
