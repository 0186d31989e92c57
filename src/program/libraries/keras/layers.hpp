#pragma once

// Questions about Keras layers that several models ask.

#include "program/machine/machine.hpp"
#include "program/operations/shapes.hpp"

#include <optional>
#include <vector>

namespace faultline::program::keras {

// The tensor that `Input(…)`, or the input arguments of a first layer, declare. `call` becomes its
// producer; `settings` holds the arguments.
Tensor* input_tensor(Machine& machine, Call& call, const Call& settings);
// What a first layer declares with input_shape, input_dim or batch_input_shape; nothing if it does
// not. The batch is in front.
struct Declared {
  Shape shape;
  Span span;
};
std::optional<Declared> declared_input(Machine& machine, const Call& constructor);

// The shapes of a layer's weights for such an input, in the order of get_weights; empty if not
// known.
std::vector<Shape> weight_shapes(Machine& machine, const Instance& layer, const Tensor& input);
// `weights=[…]` of a constructor, or set_weights([…]).
void check_weights(
    Machine& machine, Call& call, const std::vector<Shape>& wanted, Ref given, Span span);
void check_given_weights(Machine& machine, Call& call, const Tensor& input);
// An index that the embedding table does not have.
void check_tokens(Machine& machine, Call& call, const Tensor& tokens);

// kernel_size, strides, dilation_rate and padding of a convolution or pooling layer.
struct Sliding {
  std::optional<std::vector<int64_t>> kernel, strides, dilation;
  std::optional<std::vector<Window>> windows; // nothing unless all of them are known
  bool same = false;
};
Sliding sliding(Machine& machine, const Call& call, std::string_view kernel_name, size_t axes);
// The layer's way on an input of known layout; the channels are replaced by `channels`, if given.
Shape slid(Machine& machine,
           Call& call,
           const Tensor& input,
           const Sliding& sliding,
           size_t axes,
           std::optional<Dim> channels);

} // namespace faultline::program::keras
