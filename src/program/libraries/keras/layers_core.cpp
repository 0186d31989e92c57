// Input, Dense, Embedding, Lambda, and the layers that only change the shape.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/layers.hpp"
#include "program/libraries/keras/transfers.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"
#include "program/operations/shapes.hpp"

namespace faultline::program {

namespace keras {

Ref dense(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const Dim units = machine.to_dim(call.setting_value("units"));
  if (const auto rank = x->shape.rank(); rank && *rank < 2) {
    machine.problem(ProblemKind::rank,
                    input_place(call),
                    format("`{}` takes (batch, features), but gets shape {}",
                           short_name(call),
                           x->shape.text()),
                    &call);
    return end(machine, call, learned(machine, call, Shape::top()));
  }
  expect_same_features(machine, call, *x, -1);
  check_given_weights(machine, call, *x);
  return end(machine, call, learned(machine, call, x->shape.with(-1, units)));
}

Ref flatten(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  Shape shape = Shape::of_rank(2);
  if (x->shape.rank() == 1) {
    shape = Shape::of({x->shape.at(0), Dim::constant(1)});
  } else if (x->shape.rank() >= 2) {
    shape = tf::checked(machine, call, flattened(x->shape, 1, -1), call.span);
  }
  return end_plain(machine, call, moved(machine, call, *x, shape));
}

} // namespace keras

namespace {

using keras::begin;
using keras::end;
using keras::end_plain;
using keras::learned;
using tf::checked;

Ref input(Machine& machine, Call& call)
{
  return keras::input_tensor(machine, call, call);
}

Ref input_layer(Machine& machine, Call& call)
{
  const Tensor* given = begin(machine, call);
  return end_plain(machine, call, machine.like(call, *given));
}

// Dense on each step, as Keras 1 had it.
Ref steps_dense(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const bool fits = keras::expect_rank(machine, call, *x, 3);
  const Dim units = machine.to_dim(call.setting_value("units"));
  return end(
      machine, call, learned(machine, call, fits ? x->shape.with(-1, units) : Shape::of_rank(3)));
}

Ref highway(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  return end(machine, call, learned(machine, call, x->shape));
}

Ref einsum_dense(Machine& machine, Call& call)
{
  begin(machine, call);
  const auto sizes = machine.to_dims(call.setting_value("output_shape"));
  const Shape shape = sizes ? Shape::of({Dim::batch()}).plus(Shape::of(*sizes)) : Shape::top();
  return end(machine, call, learned(machine, call, shape));
}

Ref activation_layer(Machine& machine, Call& call)
{
  Tensor* x = begin(machine, call);
  const Argument* function = call.setting("activation");
  if (function == nullptr) {
    return end_plain(machine, call, x);
  }
  return end_plain(machine, call, keras::activate(machine, function->value, x, function->span));
}

Ref reshape(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  auto target = machine.to_dims(call.setting_value("target_shape"));
  if (!target) {
    target = machine.to_dims(call.setting_value("dims"));
  }
  if (!target) {
    return end_plain(machine, call, keras::moved(machine, call, *x, Shape::top()));
  }
  const Shape item = x->shape.rank() >= 1 ? x->shape.behind(1) : Shape::top();
  const Shape shape =
      checked(machine, call, reshaped(item, *target), keras::place(call, "target_shape"));
  const Dim batch = x->shape.has_rank() ? x->shape.at(0) : Dim::batch();
  return end_plain(machine, call, keras::moved(machine, call, *x, Shape::of({batch}).plus(shape)));
}

// The axes count from 1; the batch stays in front.
Ref permute(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const auto order = tf::axes(machine, call.setting_value("dims"));
  if (!order) {
    return end_plain(machine, call, keras::moved(machine, call, *x, Shape::top()));
  }
  std::vector<int64_t> all{0};
  all.insert(all.end(), order->begin(), order->end());
  const Shape shape = checked(machine, call, permuted(x->shape, all), keras::place(call, "dims"));
  return end_plain(machine, call, keras::moved(machine, call, *x, shape));
}

Ref repeat_vector(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  Shape shape = Shape::of_rank(3);
  if (keras::expect_rank(machine, call, *x, 2) && x->shape.has_rank()) {
    shape = x->shape.inserted(1, machine.to_dim(call.setting_value("n")));
  }
  return end_plain(machine, call, keras::moved(machine, call, *x, shape));
}

Ref embedding(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  keras::check_tokens(machine, call, *x);
  keras::check_given_weights(machine, call, *x);
  const Dim width = machine.to_dim(call.setting_value("output_dim"));
  return end_plain(machine, call, learned(machine, call, x->shape.plus(Shape::of({width}))));
}

Ref lambda(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const Argument* function = call.setting("function");
  if (function == nullptr || keras::subject(call) == nullptr) {
    return end_plain(machine, call, machine.unknown());
  }
  Ref value = keras::subject(call);
  if (value->kind == Kind::unknown) {
    value = machine.to_tensor(value);
  }
  std::vector<Argument> arguments{
      {.name = {}, .value = value, .span = function->span, .given = true}};
  if (const auto* more = as<Dict>(call.setting_value("arguments"))) {
    for (const auto& [key, given] : more->items) {
      if (const auto name = machine.to_string(key)) {
        arguments.push_back({.name = machine.keep(std::string(*name)),
                             .value = given,
                             .span = function->span,
                             .given = true});
      }
    }
  }
  Ref result = machine.call(function->value, std::move(arguments), function->span);
  if (result->kind == Kind::unknown) {
    const auto sizes = machine.to_dims(call.setting_value("output_shape"));
    Tensor* made =
        machine.tensor(call,
                       sizes ? Shape::of({x->shape.has_rank() ? x->shape.at(0) : Dim::batch()})
                                   .plus(Shape::of(*sizes))
                             : Shape::top());
    made->library = Library::keras;
    result = made;
  }
  return end_plain(machine, call, result);
}

constexpr std::string_view k_dense =
    "units, activation=None, use_bias=True, kernel_initializer='glorot_uniform', "
    "bias_initializer='zeros', kernel_regularizer=None, bias_regularizer=None, "
    "activity_regularizer=None, kernel_constraint=None, bias_constraint=None, **kwargs";
constexpr std::string_view k_input =
    "shape=None, batch_size=None, dtype=None, sparse=False, tensor=None, name=None, "
    "batch_shape=None, **kwargs";
constexpr std::string_view k_embedding =
    "input_dim, output_dim, embeddings_initializer='uniform', embeddings_regularizer=None, "
    "activity_regularizer=None, embeddings_constraint=None, mask_zero=False, input_length=None, "
    "**kwargs";

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"keras.Input", k_input, Role::function, "input", k_source, input},
    {"keras.layers.InputLayer", "input_shape=None, batch_size=None, dtype=None, input_tensor=None, sparse=False, name=None, shape=None, batch_shape=None, batch_input_shape=None, **kwargs", Role::layer, "input", k_source, input_layer},
    {"keras.layers.Dense", k_dense, Role::layer, "dense", k_learning, keras::dense},
    {"keras.layers.TimeDistributedDense", k_dense, Role::layer, "dense", k_learning, steps_dense},
    {"keras.layers.MaxoutDense", "units, nb_feature=4, **kwargs", Role::layer, "dense", k_learning, keras::dense},
    {"keras.layers.Highway", "activation=None, **kwargs", Role::layer, "dense", k_learning, highway},
    {"keras.layers.EinsumDense", "equation, output_shape, activation=None, bias_axes=None, kernel_initializer='glorot_uniform', bias_initializer='zeros', **kwargs", Role::layer, "dense", k_learning, einsum_dense},
    {"keras.layers.Activation", "activation, **kwargs", Role::layer, "activation", k_activation | k_elementwise, activation_layer},
    {"keras.layers.Flatten", "data_format=None, **kwargs", Role::layer, "flatten", k_reshaping, keras::flatten},
    {"keras.layers.Reshape", "target_shape, **kwargs", Role::layer, "reshape", k_reshaping, reshape},
    {"keras.layers.Permute", "dims, **kwargs", Role::layer, "permute", k_reshaping, permute},
    {"keras.layers.RepeatVector", "n, **kwargs", Role::layer, "repeat", k_reshaping, repeat_vector},
    {"keras.layers.Embedding", k_embedding, Role::layer, "embedding", k_learning, embedding},
    {"keras.layers.Lambda", "function, output_shape=None, mask=None, arguments=None, **kwargs", Role::layer, "lambda", 0, lambda},
    {"keras.layers.Masking", "mask_value=0.0, **kwargs", Role::layer, "identity", k_elementwise | k_reshaping, tf::same},
    {"keras.layers.Identity", "**kwargs", Role::layer, "identity", k_elementwise | k_reshaping, tf::same},
    {"keras.layers.ActivityRegularization", "l1=0.0, l2=0.0, **kwargs", Role::layer, "identity", k_elementwise | k_reshaping, tf::same},
};
// clang-format on

} // namespace

std::span<const Api> keras_layers_core()
{
  return k_rows;
}

} // namespace faultline::program
