#pragma once

// Evaluates a module as Python would, on abstract values. What is not understood becomes unknown
// and the run goes on. Branches that depend on the run are both taken and joined; loops are
// unrolled while they build things, else run twice and widened; functions are inlined.

#include "program/machine/machine.hpp"
#include "program/values/scope.hpp"
#include "program/values/trail.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace faultline::program {

class Interpreter final : public Machine {
public:
  Interpreter(Program& program, const ReadFile& read, const Limits& limits);

  void run(std::string path, std::string text);

  // Machine.
  using Machine::call;
  Ref call(Ref callee, std::vector<Argument> arguments, Span span) override;
  Ref attribute(Ref object, std::string_view name, Span span) override;
  void set_attribute(Ref object, std::string_view name, Ref value, Span span) override;
  Ref iterate(Ref iterable, Span span) override;
  Ref item(Ref object, Ref index, Call& call) override;
  void touch(Container& container) override { m_trail.touch(container); }
  const Context* context() const override { return m_context; }

private:
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

  // interpreter.cpp
  void run_unit(Unit& unit);
  void run_uncalled();
  void run_speculatively(Function& function);
  Ref speculative_self(Class& owner);
  bool step(); // false once the budget is spent

  // One more evaluation within those on the way, for as long as it lives. Whatever calls itself
  // through the program (an attribute that is a property, an object that iterates over itself, a
  // model inside of itself) comes through one of these.
  class Deeper {
  public:
    explicit Deeper(Interpreter& interpreter) : m_depth(interpreter.m_depth)
    {
      ++m_depth;
      m_too_deep = m_depth > interpreter.m_limits.depth;
    }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() { --m_depth; }
    bool too_deep() const { return m_too_deep; }

  private:
    size_t& m_depth;
    bool m_too_deep = false;
  };

  // statements.cpp
  Flow execute(const Syntax* statement);
  Flow execute_block(const Syntax* block);
  Flow execute_if(const Syntax& statement);
  Flow execute_for(const Syntax& statement);
  Flow execute_while(const Syntax& statement);
  Flow execute_try(const Syntax& statement);
  Flow execute_with(const Syntax& statement);
  Flow execute_match(const Syntax& statement);
  void execute_augment(const Syntax& statement);
  void define_function(const Syntax& statement);
  void define_class(const Syntax& statement);
  void assign(const Syntax* target, Ref value);
  void assign_name(std::string_view name, Ref value);
  void unpack(const Syntax& target, Ref value);
  // Run each alternative on its own copy of the state, then join what they left behind.
  Flow branch(const std::vector<std::function<Flow()>>& alternatives);
  void merge(std::vector<Contents> outcomes);
  // One trip round a loop; what changed since the trip before is widened if asked for.
  Flow iteration(const Syntax& loop,
                 Ref iterable,
                 size_t number,
                 const Syntax* target,
                 Ref value,
                 const Syntax* body);
  void widen(const Contents& before);

  // imports.cpp
  void execute_import(const Syntax& statement);
  void execute_import_from(const Syntax& statement);
  void import_star(const std::string& module, Unit* unit);
  std::vector<std::filesystem::path> folders_above() const;
  void read_requirements();
  Unit* find_unit(const std::string& module, uint32_t level);
  Ref library(const std::string& path, Span span);
  Ref resolve(Ref value); // a lazily imported name becomes what it stands for

  // expressions.cpp
  Ref evaluate(const Syntax* expression);
  Ref evaluate_name(const Syntax& expression);
  Ref evaluate_attribute(const Syntax& expression, bool outermost);
  Ref evaluate_index(const Syntax& subscript);
  Ref evaluate_subscript(const Syntax& expression);
  Ref evaluate_call(const Syntax& expression);
  Ref evaluate_binary(std::string_view sign, Ref a, Ref b, const Syntax& expression, bool in_place);
  Ref evaluate_unary(const Syntax& expression);
  Ref evaluate_compare(const Syntax& expression);
  Ref compare(std::string_view sign, Ref a, Ref b, const Syntax& expression);
  Ref evaluate_boolean(const Syntax& expression);
  Ref evaluate_conditional(const Syntax& expression);
  Ref evaluate_sequence(const Syntax& expression);
  Ref evaluate_dict(const Syntax& expression);
  Ref evaluate_comprehension(const Syntax& expression);
  void comprehend(const Syntax& expression, size_t clause, std::vector<Ref>& out, bool& open);
  Ref evaluate_lambda(const Syntax& expression);
  Ref evaluate_super(std::string_view name, Span span);
  void note_name(const ApiName& name, Span span);
  Scope* scope_of(std::string_view name);
  Ref operator_call(std::string_view name, std::vector<Argument> arguments, Span span);
  Ref truth_of(std::optional<bool> known, bool assumed);

  // calls.cpp
  Ref call_function(Function& function, Ref self, std::vector<Argument> arguments, Span span);
  void fill_fields(const Class& klass, Instance& object, const std::vector<Argument>& arguments);
  Ref call_class(Class& klass, std::vector<Argument> arguments, Span span);
  Ref call_instance(Instance& object, std::vector<Argument> arguments, Span span);
  Ref call_api_name(ApiName& name, std::vector<Argument> arguments, Span span);
  Ref call_unknown(Ref callee, std::vector<Argument> arguments, Span span);
  Ref call_unknown(std::string name, Ref self, std::vector<Argument> arguments, Span span);
  Call& record(std::string name, const Api* api, Span span);
  void bind(Call& call, const Api& api, std::vector<Argument> arguments);
  void bind(
      const Function& function, Scope& scope, Ref self, std::vector<Argument> arguments, Span span);
  Ref literal(std::string_view text); // a default in a signature
  Ref finish(Call& call, Ref result);
  Ref default_result(Call& call);
  Ref sizes(const Shape& shape); // as a tuple of ints; the rank must be known

  // attributes.cpp
  Ref instance_attribute(Instance& object, std::string_view name, Span span);
  Ref class_attribute(Class& klass, std::string_view name, Ref self, Span span);
  Ref library_attribute(const ApiName& object, std::string_view name, Span span);
  Ref method(
      const Api& klass, std::string_view klass_name, Ref self, std::string_view name, Span span);
  Ref bind_method(Function& function, Ref self);
  Ref unknown_attribute(Ref object, std::string_view name); // of an object that may be null

  // indexing.cpp
  Ref index_tensor(Tensor& tensor, Ref index, Call& call);
  Ref index_sequence(Sequence& sequence, Ref index);

  const ReadFile& m_read;
  const Limits& m_limits;
  Trail m_trail;
  std::vector<Frame> m_frames;
  Scope* m_scope = nullptr;
  Unit* m_unit = nullptr;
  const Context* m_context = nullptr;
  size_t m_steps = 0;
  size_t m_depth = 0; // evaluations on the way
  size_t m_call_depth = 0;
  bool m_speculative = false;
  bool m_exhausted = false;
  std::map<std::string, Unit*> m_units_by_path; // null: there is no such file
  std::vector<Function*> m_functions;           // of the main file, in order of definition
  std::map<std::string_view, Ref> m_literals;
  std::map<const Class*, Ref> m_first_instances; // one object of each class, if there is any
  friend class Region;
};

// Enters a region of code for as long as it lives.
class Region {
public:
  Region(Interpreter& interpreter, Context context);
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region();
  const Context& context() const { return *m_context; }

private:
  Interpreter& m_interpreter;
  const Context* m_outer;
  const Context* m_context;
};

} // namespace faultline::program
