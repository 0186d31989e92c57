// Normalisation, dropout and noise, advanced activations, attention.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/transfers.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"
#include "program/operations/shapes.hpp"

namespace faultline::program {

namespace keras {

Ref normalise(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const auto axes = tf::axes(machine, call.setting_value("axis"));
  for (const int64_t axis : axes.value_or(std::vector<int64_t>{})) {
    if (auto wrong = axis_out_of_range(x->shape, axis, short_name(call))) {
      tf::checked(machine, call, *std::move(wrong), place(call, "axis"));
    }
  }
  if (call.is("group_norm")) {
    const auto groups = machine.to_int(call.setting_value("groups"));
    const auto axis = axes && axes->size() == 1 ? axes->front() : -1;
    const auto channels = x->shape.at(axis).constant();
    if (groups && *groups > 0 && channels && *channels % *groups != 0) {
      machine.problem(ProblemKind::groups,
                      place(call, "groups"),
                      format("{} groups do not divide {} channels", *groups, *channels),
                      &call);
    }
  }
  Tensor* made = learned(machine, call, x->shape);
  return end_plain(machine, call, made);
}

Ref drop(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  if (call.api->number > 0) {
    expect_rank(machine, call, *x, static_cast<size_t>(call.api->number) + 2);
  }
  return end_plain(machine, call, moved(machine, call, *x, x->shape));
}

} // namespace keras

namespace {

using keras::begin;
using keras::end_plain;
using keras::learned;

Ref noise(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  Tensor* made = keras::moved(machine, call, *x, x->shape);
  made->interval = Interval::top();
  return end_plain(machine, call, made);
}

Ref advanced_activation(Machine& machine, Call& call)
{
  return tf::activation(machine, call);
}

// Query, value and key, which may come as a list or as arguments.
std::vector<Tensor*> attention_inputs(Machine& machine, Call& call)
{
  if (as<Sequence>(keras::subject(call)) != nullptr) {
    return keras::begin_many(machine, call);
  }
  std::vector<Tensor*> tensors{begin(machine, call)};
  constexpr std::string_view k_names[] = {"value", "key"};
  for (size_t i = 1; i <= 2; ++i) {
    const Argument* positional = keras::call_argument(call, i);
    Ref value = keras::call_option(call, k_names[i - 1]);
    if (value == nullptr && positional != nullptr && positional->name == std::to_string(i)) {
      value = positional->value;
    }
    if (value != nullptr && !machine.is_none(value)) {
      tensors.push_back(tf::operand(machine, value));
    }
  }
  return tensors;
}

void check_lengths(Machine& machine, Call& call, const std::vector<Tensor*>& tensors)
{
  if (tensors.size() < 3) {
    return;
  }
  const Dim values = tensors[1]->shape.at(-2);
  const Dim keys = tensors[2]->shape.at(-2);
  if (values.compare(keys) == Dim::Comparison::different) {
    machine.problem(ProblemKind::attention_shape,
                    call.span,
                    format("there are {} values for {} keys", values.text(), keys.text()),
                    &call);
  }
}

Ref attention(Machine& machine, Call& call)
{
  const std::vector<Tensor*> tensors = attention_inputs(machine, call);
  if (tensors.empty()) {
    return end_plain(machine, call, machine.unknown());
  }
  check_lengths(machine, call, tensors);
  const Tensor& query = *tensors.front();
  const Tensor& value = tensors.size() > 1 ? *tensors[1] : query;
  const Tensor& key = tensors.size() > 2 ? *tensors[2] : value;
  if (call.api->number == 0 &&
      query.shape.at(-1).compare(key.shape.at(-1)) == Dim::Comparison::different) {
    machine.problem(
        ProblemKind::attention_shape,
        call.span,
        format("query {} and key {} have different widths", query.shape.text(), key.shape.text()),
        &call);
  }
  const Shape shape =
      query.shape.has_rank() ? query.shape.with(-1, value.shape.at(-1)) : Shape::top();
  return end_plain(machine, call, learned(machine, call, shape));
}

Ref multi_head(Machine& machine, Call& call)
{
  const std::vector<Tensor*> tensors = attention_inputs(machine, call);
  if (tensors.empty()) {
    return end_plain(machine, call, machine.unknown());
  }
  check_lengths(machine, call, tensors);
  Shape shape = tensors.front()->shape;
  const Ref output = call.setting_value("output_shape");
  if (output != nullptr && !machine.is_none(output)) {
    const auto dims = machine.to_dims(output);
    shape = dims && dims->size() == 1 ? shape.with(-1, dims->front()) : Shape::top();
  }
  Tensor* made = learned(machine, call, shape);
  const Ref scores = keras::call_option(call, "return_attention_scores");
  if (machine.truthiness(scores).value_or(false)) {
    const Shape weights = Shape::of({tensors.front()->shape.at(0),
                                     machine.to_dim(call.setting_value("num_heads")),
                                     tensors.front()->shape.at(-2),
                                     tensors.back()->shape.at(-2)});
    Tensor* probabilities = machine.tensor(call, weights, DType::Kind::float32, Interval::of(0, 1));
    probabilities->library = Library::keras;
    return end_plain(machine, call, machine.tuple({made, probabilities}));
  }
  return end_plain(machine, call, made);
}

constexpr std::string_view k_batch_norm =
    "axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True, beta_initializer='zeros', "
    "gamma_initializer='ones', moving_mean_initializer='zeros', "
    "moving_variance_initializer='ones', "
    "beta_regularizer=None, gamma_regularizer=None, **kwargs";
constexpr std::string_view k_layer_norm =
    "axis=-1, epsilon=0.001, center=True, scale=True, beta_initializer='zeros', "
    "gamma_initializer='ones', **kwargs";
constexpr std::string_view k_rate = "rate, noise_shape=None, seed=None, **kwargs";
constexpr uint32_t k_norm = k_normalising | k_mode_dependent;
constexpr uint32_t k_drop = k_dropping | k_mode_dependent | k_elementwise;
constexpr uint32_t k_act = k_activation | k_elementwise;

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"keras.layers.BatchNormalization", k_batch_norm, Role::layer, "batch_norm", k_norm, keras::normalise},
    {"keras.layers.SyncBatchNormalization", k_batch_norm, Role::layer, "batch_norm", k_norm, keras::normalise},
    {"keras.layers.LayerNormalization", k_layer_norm, Role::layer, "layer_norm", k_normalising, keras::normalise},
    {"keras.layers.RMSNormalization", k_layer_norm, Role::layer, "layer_norm", k_normalising, keras::normalise},
    {"keras.layers.GroupNormalization", "groups=32, axis=-1, epsilon=0.001, center=True, scale=True, **kwargs", Role::layer, "group_norm", k_normalising, keras::normalise},
    {"keras.layers.UnitNormalization", "axis=-1, **kwargs", Role::layer, "l2_normalize", k_normalising, keras::normalise},
    {"keras.layers.SpectralNormalization", "layer, power_iterations=1, **kwargs", Role::layer, "spectral_norm", k_wraps},

    {"keras.layers.Dropout", k_rate, Role::layer, "dropout", k_drop, keras::drop},
    {"keras.layers.SpatialDropout1D", "rate, **kwargs", Role::layer, "spatial_dropout", k_drop, keras::drop, {}, 1},
    {"keras.layers.SpatialDropout2D", "rate, data_format=None, **kwargs", Role::layer, "spatial_dropout", k_drop, keras::drop, {}, 2},
    {"keras.layers.SpatialDropout3D", "rate, data_format=None, **kwargs", Role::layer, "spatial_dropout", k_drop, keras::drop, {}, 3},
    {"keras.layers.AlphaDropout", k_rate, Role::layer, "alpha_dropout", k_drop, keras::drop},
    {"keras.layers.GaussianDropout", "rate, **kwargs", Role::layer, "dropout", k_drop, noise},
    {"keras.layers.GaussianNoise", "stddev, **kwargs", Role::layer, "gaussian_noise", k_mode_dependent | k_elementwise, noise},

    {"keras.layers.ReLU", "max_value=None, negative_slope=0.0, threshold=0.0, **kwargs", Role::layer, "relu", k_act, advanced_activation},
    {"keras.layers.LeakyReLU", "negative_slope=0.3, **kwargs", Role::layer, "leaky_relu", k_act, advanced_activation},
    {"keras.layers.PReLU", "alpha_initializer='zeros', alpha_regularizer=None, alpha_constraint=None, shared_axes=None, **kwargs", Role::layer, "prelu", k_act, advanced_activation},
    {"keras.layers.ELU", "alpha=1.0, **kwargs", Role::layer, "elu", k_act, advanced_activation},
    {"keras.layers.ThresholdedReLU", "theta=1.0, **kwargs", Role::layer, "relu", k_act, advanced_activation},
    {"keras.layers.Softmax", "axis=-1, **kwargs", Role::layer, "softmax", k_act, advanced_activation},

    {"keras.layers.Attention", "use_scale=False, score_mode='dot', dropout=0.0, **kwargs", Role::layer, "attention", k_learning, attention},
    {"keras.layers.AdditiveAttention", "use_scale=True, dropout=0.0, **kwargs", Role::layer, "attention", k_learning, attention},
    {"keras.layers.MultiHeadAttention", "num_heads, key_dim, value_dim=None, dropout=0.0, use_bias=True, output_shape=None, attention_axes=None, **kwargs", Role::layer, "attention", k_learning, multi_head},
    {"keras.layers.GroupQueryAttention", "head_dim, num_query_heads, num_key_value_heads, **kwargs", Role::layer, "attention", k_learning, attention, {}, 1},
};
// clang-format on

} // namespace

std::span<const Api> keras_layers_other()
{
  return k_rows;
}

} // namespace faultline::program
