#pragma once

// A DL program as the interpreter understood it: what the rules read.

#include "program/projects/pins.hpp"
#include "program/record/call.hpp"
#include "program/syntax/syntax.hpp"
#include "program/values/value.hpp"

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace faultline::program {

// One file of the program. `text` is what was parsed; for a notebook, its code cells one after the
// other (source/notebook.hpp maps positions back).
struct Unit {
  uint32_t number = 0; // Span::file
  std::string path;
  std::string text;
  std::unique_ptr<SyntaxFile> syntax;
  Scope* globals = nullptr;
  enum class State : uint8_t { parsed, running, done } state = State::parsed;
  bool is_main = false;
};

// What a transfer function found impossible or suspicious. A rule turns each kind into findings.
enum class ProblemKind : uint8_t {
  rank,
  features,
  contraction,
  reshape,
  empty_result,
  broadcast,
  both_grow,
  concat,
  axis,
  flat_size,
  squeeze,
  index,
  loss_shape,
  input_shape,
  skip_size,
  recurrent_shape,
  attention_shape,
  groups,
  embedding_range,
  weights_shape,
  sample_count,
  axis_order,
  expand,
  gather,
  not_contiguous,
  double_meets_float,
  target_not_int64,
  target_not_float,
  index_not_integer,
  dtype_mix,
  object_dtype,
  integer_overflow,
  mask_dtype,
  foreign_tensor,
  half_precision,
  integer_variable,
  integer_gradient,
  label_dtype,
  precision_loss,
  device,
  bad_argument
};

struct Problem {
  ProblemKind kind;
  Span span;           // the argument or call to point at
  std::string message; // lower case, with the concrete values seen
  std::string help;
  struct Remark {
    Span span;
    std::string text;
  };
  std::vector<Remark> notes;
  const Call* call = nullptr; // may be null
};

enum class LossKind : uint8_t {
  categorical,
  sparse_categorical,
  binary,
  nll,
  mse,
  mae,
  huber,
  hinge,
  kl,
  ctc,
  poisson,
  cosine,
  margin,
  custom
};
enum class LossInput : uint8_t { probabilities, log_probabilities, logits, any };

// One use of a loss: a call in a loop, or compile + fit.
struct LossUse {
  LossKind kind = LossKind::custom;
  LossInput wants = LossInput::any;
  Call* call = nullptr;         // the loss call, or model.compile
  Span span;                    // the loss: its call, or compile's argument
  Tensor* prediction = nullptr; // null if not known
  Span prediction_span;
  Ref target = nullptr; // null if not known
  Span target_span;
  Instance* model = nullptr;  // keras; null otherwise
  Call* fit = nullptr;        // keras; null if only compiled
  std::string_view framework; // "keras", "tensorflow", "torch"
  int64_t class_axis = -1;    // 1 for torch
  Ref computed = nullptr;     // what a loss function of the program gave; null otherwise
};

struct Loop {
  const Context* context = nullptr; // of the first iteration
  Ref iterable = nullptr;           // null for while
  Span span;
  size_t first_call = 0; // calls [first, end) happened in the first iteration
  size_t end_call = 0;
  bool endless = false; // while True
};

struct Import {
  std::string module; // "tensorflow.keras", as written
  std::string name;   // "layers" of `from tensorflow.keras import layers`; empty for a whole module
  Span span;
};

// Something that was not understood, in the order met.
struct Gap {
  std::string what; // "unknown name `torch.foo`", "syntax error"
  Span span;
};

class Program {
public:
  Program();
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const std::vector<std::unique_ptr<Unit>>& units() const { return m_units; }
  const Unit& main() const { return *m_units.front(); }
  std::string_view text(Span span) const;

  // All in order of execution.
  const std::deque<Call>& calls() const { return m_calls; }
  const std::vector<Store>& stores() const { return m_stores; }
  const std::vector<NameUse>& name_uses() const { return m_name_uses; }
  const std::vector<Import>& imports() const { return m_imports; }
  const std::vector<Loop>& loops() const { return m_loops; }
  const std::vector<Class*>& classes() const { return m_classes; }
  const std::vector<Instance*>& instances() const { return m_instances; } // of framework classes
  const std::vector<Problem>& problems() const { return m_problems; }
  const std::vector<LossUse>& losses() const { return m_losses; }
  const std::vector<Gap>& gaps() const { return m_gaps; }

  // Calls whose input is (exactly) this tensor.
  const std::vector<const Call*>& consumers(const Tensor* tensor) const;

  // The lowest version of a library that the requirements beside the program allow.
  std::optional<Version> pinned(const std::string& library) const;

  bool uses(std::string_view library) const; // imported: "torch", "tensorflow", "keras"

private:
  friend class Interpreter;
  friend class Machine;
  friend class Region;
  std::vector<std::unique_ptr<Unit>> m_units;
  std::deque<std::unique_ptr<Value>> m_values;
  std::deque<Context> m_contexts;
  std::deque<DataSource> m_sources;
  std::deque<std::unique_ptr<Scope>> m_scopes;
  std::deque<std::string> m_strings;
  std::deque<Call> m_calls;
  std::vector<Store> m_stores;
  std::vector<NameUse> m_name_uses;
  std::vector<Import> m_imports;
  std::vector<Loop> m_loops;
  std::vector<Class*> m_classes;
  std::vector<Instance*> m_instances;
  std::vector<Problem> m_problems;
  std::vector<LossUse> m_losses;
  std::vector<Gap> m_gaps;
  std::map<std::string, Version> m_pins;
  struct Consumers;
  mutable std::unique_ptr<Consumers> m_consumers; // built when first asked for
};

// Limits within which any input is handled. What goes beyond becomes unknown and is noted as a gap.
struct Limits {
  size_t steps = 300'000;       // expressions and statements evaluated, per program
  size_t call_depth = 24;       // inlined calls within calls
  size_t recursion = 2;         // the same function on the stack
  size_t unroll = 128;          // iterations of a loop over known items
  size_t nesting = 200;         // of expressions and statements in a file
  size_t depth = 1'000;         // evaluations within evaluations, over all calls and files
  size_t imported_files = 40;   // files of the program that are followed
  size_t file_bytes = 16 << 20; // larger files are not read
};

// Gives the text of a file of the program, nothing if there is none. Paths are as `main` was given.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

// Interpret `text` as the main file, then each function of it that nothing called. Never fails.
std::unique_ptr<const Program>
analyse(std::string path, std::string text, const ReadFile& read = {}, const Limits& limits = {});

} // namespace faultline::program
