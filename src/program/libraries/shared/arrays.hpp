#pragma once

// Arrays in memory: what the models of NumPy, pandas, scikit-learn and image libraries share.

#include "program/libraries/shared/reading.hpp"
#include "program/operations/intervals.hpp"
#include "program/operations/shapes.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace faultline::program {

// A new NumPy array that `call` returns: no gradient, on the CPU.
Tensor* array(Machine& machine,
              Call& call,
              Shape shape,
              DType dtype = {},
              Interval interval = Interval::top());
// The same numbers in another shape: what they mean and where they come from is kept.
Tensor* rearranged(Machine& machine, Call& call, const Tensor& input, Shape shape);
Ref flattened(Machine& machine, Call& call); // of `subject`, as a vector
Tensor* array_like(Machine& machine, Call& call, const Tensor& input);
Tensor* frame(Machine& machine, Call& call, Shape shape, DType dtype = {}); // of pandas

// Any value as an array; lists of unequal rows have dtype object. Never null: what is not
// understood has an unknown shape.
Tensor& to_array(Machine& machine, Ref value);

// The array that a function or method is about: `self` for a method, else the named argument. Torch
// tensors with a gradient are no arrays, which is reported.
Tensor& subject(Machine& machine, Call& call, std::string_view parameter = "a");
Tensor& operand(Machine& machine, Call& call, std::string_view parameter);
// Where `parameter` was written; the whole call if it was not.
Span span_of(const Call& call, std::string_view parameter);

// The shape; what is wrong is reported at `span`.
Shape settle(Machine& machine, const Call& call, const Shaped& shaped, Span span);

// Sizes given as one argument `shape` or as many: zeros((2, 3)), rand(2, 3). Unknown rank if not
// known.
Shape shape_argument(Machine& machine, Ref value);
Shape shape_of_sizes(Machine& machine, const std::vector<Ref>& sizes);

// The axes of a reduction: nothing known (unknown), all (no axis given), or a list.
struct Axes {
  bool known = true;
  std::optional<std::vector<int64_t>> list; // nothing: all axes
};
Axes axes_argument(const Machine& machine, Ref value);

// NumPy's element type of an operation on both; Python numbers adapt to the array.
DType arithmetic_dtype(Ref a, Ref b);
DType numpy_promoted(DType a, DType b);
DType dtype_argument(const Machine& machine, Ref value, DType otherwise);
DType as_floating(DType dtype); // what mean, sqrt, exp give: float64 for integers
bool is_dtype(const Tensor& tensor, DType::Kind kind);

// Small integers that leave the range of their type wrap around silently, which is reported. The
// values as they are afterwards.
Interval check_wrapping(Machine& machine, const Call& call, DType dtype, const Interval& exact);
Interval range_of(DType dtype); // of an integer type; unknown for others

// Some elements of an array were replaced, in place, by values of `interval`.
void overwrite(Tensor& target, const Interval& interval);
void forget_columns(Tensor& target); // of a data frame: any number of them, of any type
void forget_rows(Tensor& target);

// The shape as Python sees it: a tuple of ints.
Ref shape_tuple(Machine& machine, const Shape& shape);

// A copy of where data came from, as another split.
const DataSource* as_split(Machine& machine, const DataSource* source, DataSource::Split split);

} // namespace faultline::program
