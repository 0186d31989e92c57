#pragma once

// What the rules about numbers read of an operation: its operands however it is written, what its
// element type can hold, and whether anything learns from the result.

#include "rules/rule.hpp"

#include <optional>
#include <string_view>

namespace faultline::rules::numeric {

using program::Interval;

// One operand: of `a / b`, `torch.div(a, b)` and `a.div(b)` alike.
struct Operand {
  Ref value = nullptr;            // null if there is none
  const Tensor* tensor = nullptr; // null if it is a number
  Interval interval = Interval::top();
  Span span = {};
};
Operand operand(const Call& call, size_t n);

Interval interval_of(Ref value);
std::optional<double>
number_in(Ref value); // a number, or a tensor whose elements are all that number
const Tensor* result_of(const Call& call); // null if it gives no single tensor

// The operation that made `tensor`, moves of elements passed over; an empty op for data.
const Call* maker(const Tensor* tensor);
bool is_made_by(const Tensor* tensor, std::string_view op);
// The tensor whose elements `tensor` holds, before they were moved.
const Tensor* held(const Tensor* tensor);

// What an element type can hold. Unknown types are taken for float32.
struct FloatRange {
  double tiny;     // the smallest normal number
  double huge;     // the largest
  double log_huge; // exp of more overflows
  double step;     // between 1 and the number below it
};
FloatRange float_range(const Tensor* tensor);

// 0 is among the values.
bool reaches_zero(const Operand& x);
// All values are 0 as far as the type can tell.
bool is_zero(const Operand& x);

// A gradient may flow back from `tensor`. Arrays and what is made under no_grad have none.
bool may_learn(const Tensor* tensor);
// Not only parameters: something that a layer or an activation computed is among its ancestors.
bool depends_on_activations(const Tensor* tensor);

// The program tells values near 0 from others, in a branch, a mask or an assertion.
bool is_compared_with_zero(const Program& program, const Tensor* tensor);
// The result of `call` is only chosen where a condition holds.
bool is_chosen_by_condition(const Program& program, const Call& call);
// The program does either: it looks at `tensor` before it relies on the result of `call`.
bool is_guarded(const Program& program, const Call& call, const Tensor* tensor);

// Whether `axis` (dim, reduction_indices …) is written and not None.
bool has_axis(const Call& reduction);

// L02 between the outputs of a network and what is minimised, else I16.
FaultType type_of(const Program& program, const Call& call);
Severity severity_of(bool certain);

bool is_torch(const Call& call);
bool is_numpy(const Tensor* tensor);
// Reported in a plain function of the program by this word in its name.
bool is_within(const Call& call, std::string_view word);

// "[0, 1]", "negative values and 0" …: the witness in a message.
std::string values_in(const Interval& interval);

} // namespace faultline::rules::numeric
