#pragma once

// What the models of TensorFlow and of Keras' backend functions share.

#include "program/machine/machine.hpp"
#include "program/operations/shapes.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace faultline::program::tf {

// The n-th parameter's argument: null if it was not given and has no default. A method's object is
// the first.
Ref argument(const Call& call, size_t n);
Span argument_span(const Call& call, size_t n);
// The first of these parameters that was written; else the default of the first; may be null. Names
// changed between versions: axis, reduction_indices.
Ref option(const Call& call, std::initializer_list<std::string_view> names);

// Written without `name=`.
bool is_positional(Machine& machine, const Call& call, const Argument& argument);

// A value as a tensor, as TensorFlow converts numbers, lists and arrays. Never null: something that
// is no tensor is one of which nothing is known.
Tensor* operand(Machine& machine, Ref value);
std::vector<Tensor*> operands(Machine& machine, Ref list);

Tensor* result(Machine& machine,
               Call& call,
               Shape shape,
               DType dtype = {},
               Interval interval = Interval::top());
// The elements of `input`, or some of them, in another shape.
Tensor* moved(Machine& machine, Call& call, const Tensor& input, Shape shape);

// The shape; what is wrong with it is reported at `span`.
Shape checked(Machine& machine, Call& call, Shaped shaped, Span span);

// One axis or several, as `axis=` is written; nothing if not known or None.
std::optional<std::vector<int64_t>> axes(Machine& machine, Ref value);
// A list of sizes or a shape tensor. With `batch`, a leading None is the batch.
Shape shape_of(Machine& machine, Ref value, bool batch = false);

// TensorFlow's "float" is 32 bits wide, unlike Python's.
std::optional<DType> to_dtype(Machine& machine, Ref value);

// Both are TensorFlow's tensors of different known types: reported, as nothing is promoted.
void expect_same_dtype(Machine& machine, Call& call, const Tensor& a, const Tensor& b);
void expect_integers(Machine& machine, Call& call, const Tensor& index, Span span);

// Transfer functions by the row's op, for rows of several modules.
Ref unary(Machine& machine, Call& call);      // element-wise, first argument
Ref activation(Machine& machine, Call& call); // softmax and its kin along `axis` too; layers too
Ref binary(Machine& machine, Call& call);     // element-wise, broadcast
Ref comparison(Machine& machine, Call& call);
Ref reduction(Machine& machine, Call& call);
Ref arg_reduction(Machine& machine, Call& call);
Ref matmul(Machine& machine, Call& call);
Ref same(Machine& machine, Call& call); // the first argument, as a new tensor
Ref reshape(Machine& machine, Call& call);
Ref expand_dims(Machine& machine, Call& call);
Ref squeeze(Machine& machine, Call& call);
Ref transpose(Machine& machine, Call& call);
Ref concat(Machine& machine, Call& call);
Ref stack(Machine& machine, Call& call);
Ref unstack(Machine& machine, Call& call);
Ref split(Machine& machine, Call& call);
Ref tile(Machine& machine, Call& call);
Ref gather(Machine& machine, Call& call);
Ref one_hot(Machine& machine, Call& call);
Ref cast(Machine& machine, Call& call);
Ref clip(Machine& machine, Call& call);
Ref where(Machine& machine, Call& call);
Ref filled(Machine& machine, Call& call); // zeros, ones, random_normal … of a given shape
Ref like(Machine& machine, Call& call);   // zeros_like …
Ref constant(Machine& machine, Call& call);
Ref variable(Machine& machine, Call& call);
Ref placeholder(Machine& machine, Call& call);
Ref shape(Machine& machine, Call& call);          // the shape as a vector
Ref nothing(Machine& machine, Call& call);        // None
Ref first_argument(Machine& machine, Call& call); // as it is
Ref text(Machine& machine, Call& call);           // one string, as a tensor
// A node of the graph that is run for what it does; its constructor tells what that is.
Ref operation(Machine& machine, Call& call);
Ref gradients(Machine& machine, Call& call);

// Data of another shape than the placeholder's, in `feed_dict`: reported.
void check_feeds(Machine& machine, Call& call);

// What a loss wants and what it gets, remembered for the rules.
LossUse& note_loss(Machine& machine,
                   Call& call,
                   LossInput wants,
                   const Argument* prediction,
                   const Argument* target);

} // namespace faultline::program::tf
