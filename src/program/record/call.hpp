#pragma once

// What happened while the program was interpreted: calls of library functions, layers and
// operators, in order, each with the region of code it happened in. A call is also a node of the
// data-flow graph: the tensors it returns point back to it.

#include "program/names/api.hpp"
#include "program/values/value.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {

// A region of code that is being executed; regions nest by `parent`.
struct Context {
  enum class Kind : uint8_t { unit, function, loop, with, branch, handler, comprehension };
  Kind kind = Kind::unit;
  const Context* parent = nullptr; // null at the top
  const Syntax* syntax = nullptr;  // the statement
  Span span = {};                  // of the statement
  Ref subject = nullptr; // loop: what is iterated over (null for while); with: the manager;
                         // branch: the condition; function: the Function. May be null
  Ref self = nullptr;    // function: the object it is a method of; may be null
  size_t iteration = 0;  // loop: 0 the first time round
  Unit* unit = nullptr;
};

struct Argument {
  std::string_view name; // the parameter's name; empty for surplus positional arguments
  Ref value = nullptr;
  Span span;          // the expression (without `name=`); the call's own span for a default
  bool given = false; // written in the call, not a default
};

struct Call {
  size_t order = 0;         // position among all calls
  const Api* api = nullptr; // null if no table has the name
  // Canonical path; "operator.truediv" for operators; "?" for a function and "?.step" for a method
  // of which nothing else is known (then self is the function or the object, and all arguments are
  // surplus).
  std::string name;
  Ref self = nullptr; // the object a method was called on; null otherwise
  Instance* layer =
      nullptr; // an instance was called (layer, loss, model, optimizer closure): which
  // Bound to the signature, defaults filled in. The call of an instance (layer, loss, model) is
  // bound to its class's `__call__` row if there is one; else positional arguments are named "0",
  // "1", …
  std::vector<Argument> arguments;
  std::vector<Argument> surplus; // *args and **kwargs that the signature collects
  Ref result = nullptr;
  Span span;   // the whole call expression
  Span callee; // the name that was called
  const Context* context = nullptr;
  bool discarded = false;        // an expression statement: nobody uses the result
  bool speculative = false;      // in a function that nobody called, run with unknown arguments
  bool in_library_model = false; // made while building a Keras model: span is the layer's own

  std::string_view op() const { return api != nullptr ? api->op : std::string_view(); }
  bool is(std::string_view operation) const { return op() == operation; }
  bool has(uint32_t trait) const { return api != nullptr && api->has(trait); }

  // The bound argument, or null if the signature has none of that name.
  const Argument* argument(std::string_view parameter) const;
  Ref arg(std::string_view parameter) const; // its value, default included; null if none
  const Argument* given(std::string_view parameter) const; // only if written in the call
  const Argument* keyword(std::string_view name) const;    // surplus keyword

  // Constructor argument of the layer if an instance was called, else the call's own: the place
  // where units, kernel size, rate are written, whichever API is used.
  const Argument* setting(std::string_view parameter) const;
  Ref setting_value(std::string_view parameter) const;

  // Arguments that are tensors (members of lists included), in order, self first.
  std::vector<Tensor*> inputs() const;
  Tensor* input(size_t n = 0) const; // null if there are fewer

  // The innermost region of that kind around the call; null if none.
  const Context* within(Context::Kind kind) const;
};

// `obj.name = value`.
struct Store {
  size_t order = 0; // of the next call
  Ref object = nullptr;
  std::string_view name;
  Ref value = nullptr;
  Span span; // the whole statement
  const Context* context = nullptr;
};

// A library name that the program wrote, whether it was called or not.
struct NameUse {
  std::string path;    // canonical
  std::string written; // as imported
  Span span;
  const Context* context = nullptr;
};

} // namespace faultline::program
