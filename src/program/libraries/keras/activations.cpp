// keras.activations: functions, and the strings that layers take.

#include "program/libraries/tensorflow/rows.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

// activations.get('relu') is the function itself.
Ref get(Machine& machine, Call& call)
{
  const Ref wanted = call.arg("identifier");
  return wanted != nullptr ? wanted : machine.none();
}

constexpr Api row(std::string_view name, std::string_view op, std::string_view signature = "x")
{
  return tf::activates(name, op, signature);
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    row("keras.activations.relu", "relu", "x, negative_slope=0.0, max_value=None, threshold=0.0"),
    row("keras.activations.relu6", "relu6"),
    row("keras.activations.leaky_relu", "leaky_relu", "x, negative_slope=0.2"),
    row("keras.activations.LeakyReLU", "leaky_relu", "x, negative_slope=0.3"),
    row("keras.activations.elu", "elu", "x, alpha=1.0"),
    row("keras.activations.celu", "elu", "x, alpha=1.0"),
    row("keras.activations.selu", "selu"),
    row("keras.activations.gelu", "gelu", "x, approximate=False"),
    row("keras.activations.swish", "swish"),
    row("keras.activations.silu", "swish"),
    row("keras.activations.mish", "swish"),
    row("keras.activations.softplus", "softplus"),
    row("keras.activations.softsign", "softsign"),
    row("keras.activations.sigmoid", "sigmoid"),
    row("keras.activations.hard_sigmoid", "hard_sigmoid"),
    row("keras.activations.log_sigmoid", "log_sigmoid"),
    row("keras.activations.tanh", "tanh"),
    row("keras.activations.hard_tanh", "hard_tanh"),
    row("keras.activations.softmax", "softmax", "x, axis=-1"),
    row("keras.activations.log_softmax", "log_softmax", "x, axis=-1"),
    row("keras.activations.exponential", "exp"),
    {"keras.activations.linear", "x", Role::function, "linear", k_elementwise, tf::same},
    {"keras.activations.get", "identifier", Role::function, {}, 0, get},
    {"keras.activations.serialize", "activation", Role::opaque},
    {"keras.activations.deserialize", "name, custom_objects=None", Role::opaque},
};
// clang-format on

} // namespace

std::span<const Api> keras_activations()
{
  return k_rows;
}

} // namespace faultline::program
