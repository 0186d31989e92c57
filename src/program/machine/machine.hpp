#pragma once

// What the models of library functions use: making values, reading arguments, reporting problems.
// The interpreter itself (interpreter.hpp) derives from it.

#include "program/record/call.hpp"
#include "program/record/program.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {

class Machine {
public:
  explicit Machine(Program& program) : m_program(program) {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  virtual ~Machine() = default;

  // --- Making values. ---
  Ref unknown(std::string why = {});
  Ref none();
  Ref boolean(bool value);
  Ref truth(); // a bool that depends on the run
  Ref integer(int64_t value);
  Ref integer(Dim dim); // constant if the dim is
  Ref real(double value);
  Ref number(Interval interval, bool is_integer = false);
  Ref string(std::string value);
  Ref text(); // a str that is not known
  Sequence* list(std::vector<Ref> items);
  Sequence* tuple(std::vector<Ref> items);
  Sequence* open_list(Ref rest); // unknown length, every item like `rest`
  Dict* dict();
  // A new object of a framework's class, as if its constructor had been called by `made_by`.
  Instance* instance(const Api& api, Call* made_by);

  // A tensor that `call` returns: producer and origin are set, library and device follow the first
  // tensor input, requires_grad is yes if any input's is.
  Tensor* tensor(Call& call, Shape shape, DType dtype = {}, Interval interval = Interval::top());
  // The same tensor with another producer: shape, dtype, interval, encoding, source are kept.
  Tensor* like(Call& call, const Tensor& input);
  // Data that no call produced: a loader's array, an unknown input.
  Tensor* data(Library library, Shape shape, DType dtype, Interval interval);
  const DataSource* source(DataSource data);
  Dim fresh_symbol();
  std::string_view keep(std::string text); // a string that lives as long as the program

  // --- Reading values; nothing if not known. A Choice is known only if all options agree. ---
  std::optional<bool> to_bool(Ref value) const;    // of a constant bool
  std::optional<bool> truthiness(Ref value) const; // of any value, as `if` sees it
  std::optional<int64_t> to_int(Ref value) const;
  std::optional<double> to_double(Ref value) const; // ints too
  std::optional<std::string_view> to_string(Ref value) const;
  Dim to_dim(Ref value) const; // ints and symbolic sizes, else unknown
  // A list or tuple of sizes ((28, 28, 1), [-1, 10], None inside is unknown); a single int gives
  // one.
  std::optional<std::vector<Dim>> to_dims(Ref value) const;
  // n sizes from an int or a sequence of n ints, as kernel_size and strides are written.
  std::optional<std::vector<int64_t>> to_ints(Ref value, size_t n) const;
  std::optional<DType> to_dtype(Ref value) const; // strings, torch.float32, int, float …
  std::optional<Device> to_device(Ref value) const;
  Interval to_interval(Ref value) const; // numbers and tensors
  bool is_none(Ref value) const;         // surely None
  // A tensor as it is; a list of numbers as an array; something unknown as a tensor of which
  // nothing is known, the same each time; null for anything else.
  Tensor* to_tensor(Ref value);
  std::vector<Ref> items_of(Ref value) const; // of a sequence; empty if it is none
  // The short canonical name of an activation, loss, initializer, optimizer given as string,
  // function, class or object: 'relu', tf.nn.relu, nn.ReLU() → "relu". Empty if unknown; "linear"
  // for None.
  std::string_view op_of(Ref value) const;

  // --- Acting. ---
  // Call any value as Python would, with positional and keyword arguments.
  virtual Ref call(Ref callee, std::vector<Argument> arguments, Span span) = 0;
  Ref call(Ref callee, std::vector<Ref> arguments, Span span);
  // Call the row `path` as if it were written at `span`: for layers that apply an activation.
  Ref call_api(std::string_view path, std::vector<Argument> arguments, Span span);
  // Apply a layer, model or function to tensors.
  Ref apply(Ref callee, std::vector<Ref> inputs, Span span)
  {
    return call(callee, std::move(inputs), span);
  }
  virtual Ref attribute(Ref object, std::string_view name, Span span) = 0;
  virtual void set_attribute(Ref object, std::string_view name, Ref value, Span span) = 0;
  virtual Ref iterate(Ref iterable, Span span) = 0;        // one item of it
  virtual Ref item(Ref object, Ref index, Call& call) = 0; // object[index]
  Ref join(Ref a, Ref b);                                  // one of both, as after a branch

  // Save a container's content before changing it, so that a branch can be undone.
  virtual void touch(Container& container) = 0;

  Problem& problem(ProblemKind kind, Span span, std::string message, const Call* call = nullptr);
  LossUse& loss_use(Call& call);
  LossUse& loss_use(size_t number) { return m_program.m_losses[number]; } // as made
  void gap(std::string what, Span span);
  Program& program() { return m_program; }
  // Inside torch.no_grad and its like; inside a function that is being run without a caller.
  bool gradient_off() const;
  virtual const Context* context() const = 0;

protected:
  template <typename T> T* make()
  {
    auto owned = std::make_unique<T>();
    T* made = owned.get();
    made->origin = m_here;
    m_program.m_values.push_back(std::move(owned));
    return made;
  }
  std::deque<Call>& calls() { return m_program.m_calls; }
  Program& m_program;
  Span m_here; // the expression being evaluated
  uint32_t m_last_symbol = 1;

private:
  Ref joined(Ref a, Ref b, size_t depth);
  // So far, over the whole program: lists and texts that double in a loop end somewhere.
  size_t m_joins = 0;
  size_t m_listed = 0; // items of lists
  size_t m_text_bytes = 0;
  Ref m_none = nullptr;
  std::map<Ref, Tensor*> m_stand_ins; // unknown value → the tensor it is taken for
};

} // namespace faultline::program
