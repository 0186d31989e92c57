// tf.layers, tf.contrib.layers and slim: functions that make weights and apply them.

#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/transfers.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"

#include <algorithm>
#include <array>

namespace faultline::program {

namespace {

void set(Call& call, std::string_view name, Ref value, Span span, bool given)
{
  for (Argument& argument : call.arguments) {
    if (argument.name == name) {
      argument = {.name = name, .value = value, .span = span, .given = given};
      return;
    }
  }
  call.arguments.push_back({.name = name, .value = value, .span = span, .given = given});
}

bool lists(Machine& machine, Ref functions, const Call& call)
{
  for (const Ref item : machine.items_of(functions)) {
    const auto* name = as<ApiName>(item);
    if (name != nullptr && name->api == call.api) {
      return true;
    }
  }
  return false;
}

// `with arg_scope([conv2d], padding='VALID')` changes defaults; the innermost scope wins.
void read_scopes(Machine& machine, Call& call)
{
  for (const Context* region = machine.context(); region != nullptr; region = region->parent) {
    const auto* manager =
        region->kind == Context::Kind::with ? as<Instance>(region->subject) : nullptr;
    if (manager == nullptr || manager->api == nullptr || manager->api->op != "arg_scope" ||
        manager->made_by == nullptr ||
        !lists(machine, manager->made_by->arg("list_ops_or_scope"), call)) {
      continue;
    }
    for (const Argument& preset : manager->made_by->surplus) {
      const Argument* own = call.argument(preset.name);
      if (!preset.name.empty() && (own == nullptr || !own->given)) {
        set(call, preset.name, preset.value, preset.span, true);
      }
    }
  }
}

// The arguments get the names that Keras has for them, beside their own.
void rename(Machine& machine, Call& call)
{
  read_scopes(machine, call);
  constexpr std::array<std::array<std::string_view, 2>, 8> k_names = {{
      {"num_outputs", "units"},
      {"num_outputs", "filters"},
      {"stride", "strides"},
      {"rate", "dilation_rate"},
      {"activation_fn", "activation"},
      {"weights_initializer", "kernel_initializer"},
      {"biases_initializer", "bias_initializer"},
      {"weights_regularizer", "kernel_regularizer"},
  }};
  for (const auto& [theirs, ours] : k_names) {
    const Argument* argument = call.argument(theirs);
    if (argument != nullptr && call.argument(ours) == nullptr) {
      const Argument copy = *argument;
      set(call, ours, copy.value, copy.span, copy.given);
    }
  }
}

Ref contrib_dense(Machine& machine, Call& call)
{
  rename(machine, call);
  return keras::dense(machine, call);
}

Ref contrib_convolution(Machine& machine, Call& call)
{
  rename(machine, call);
  return call.has(k_transposed)      ? keras::convolve_transposed(machine, call)
         : call.is("depthwise_conv") ? keras::convolve_depthwise(machine, call)
                                     : keras::convolve(machine, call);
}

Ref contrib_pool(Machine& machine, Call& call)
{
  rename(machine, call);
  if (const Argument* kernel = call.argument("kernel_size")) {
    const Argument copy = *kernel;
    set(call, "pool_size", copy.value, copy.span, copy.given);
  }
  return keras::pool(machine, call);
}

Ref contrib_norm(Machine& machine, Call& call)
{
  rename(machine, call);
  const Ref made = keras::normalise(machine, call);
  auto* tensor = as<Tensor>(made);
  const Argument* activation = call.argument("activation_fn");
  return tensor != nullptr && activation != nullptr
             ? keras::activate(machine, activation->value, tensor, activation->span)
             : made;
}

Ref one_hot_encoding(Machine& machine, Call& call)
{
  const Tensor* labels = tf::operand(machine, call.arg("labels"));
  const Dim classes = machine.to_dim(call.arg("num_classes"));
  Tensor* made = tf::result(machine,
                            call,
                            labels->shape.plus(Shape::of({classes})),
                            DType::Kind::float32,
                            Interval::of(0, 1));
  made->encoding = Encoding::one_hot;
  made->classes = classes.constant().value_or(0);
  return made;
}

Ref train_op(Machine& machine, Call& call)
{
  return tf::result(machine, call, Shape::scalar(), DType::Kind::float32);
}

constexpr std::string_view k_dense =
    "inputs, units, activation=None, use_bias=True, kernel_initializer=None, "
    "bias_initializer='zeros', kernel_regularizer=None, bias_regularizer=None, "
    "activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, "
    "name=None, reuse=None";
constexpr std::string_view k_conv =
    "inputs, filters, kernel_size, strides=1, padding='valid', data_format='channels_last', "
    "dilation_rate=1, activation=None, use_bias=True, kernel_initializer=None, "
    "bias_initializer='zeros', kernel_regularizer=None, bias_regularizer=None, "
    "activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, "
    "name=None, reuse=None";
constexpr std::string_view k_transpose =
    "inputs, filters, kernel_size, strides=1, padding='valid', data_format='channels_last', "
    "activation=None, use_bias=True, kernel_initializer=None, bias_initializer='zeros', "
    "kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, "
    "kernel_constraint=None, bias_constraint=None, trainable=True, name=None, reuse=None";
constexpr std::string_view k_separable =
    "inputs, filters, kernel_size, strides=1, padding='valid', data_format='channels_last', "
    "dilation_rate=1, depth_multiplier=1, activation=None, use_bias=True, **kwargs";
constexpr std::string_view k_pool =
    "inputs, pool_size, strides, padding='valid', data_format='channels_last', name=None";
constexpr std::string_view k_batch_norm =
    "inputs, axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True, "
    "beta_initializer='zeros', gamma_initializer='ones', moving_mean_initializer='zeros', "
    "moving_variance_initializer='ones', beta_regularizer=None, gamma_regularizer=None, "
    "beta_constraint=None, gamma_constraint=None, training=False, trainable=True, name=None, "
    "reuse=None, **kwargs";

constexpr std::string_view k_slim_dense =
    "inputs, num_outputs, activation_fn=tensorflow.nn.relu, normalizer_fn=None, "
    "normalizer_params=None, weights_initializer=None, weights_regularizer=None, "
    "biases_initializer=None, biases_regularizer=None, reuse=None, **kwargs";
constexpr std::string_view k_slim_conv =
    "inputs, num_outputs, kernel_size, stride=1, padding='SAME', data_format=None, rate=1, "
    "activation_fn=tensorflow.nn.relu, normalizer_fn=None, normalizer_params=None, "
    "weights_initializer=None, weights_regularizer=None, biases_initializer=None, "
    "biases_regularizer=None, reuse=None, **kwargs";
constexpr std::string_view k_slim_separable =
    "inputs, num_outputs, kernel_size, depth_multiplier=1, stride=1, padding='SAME', rate=1, "
    "activation_fn=tensorflow.nn.relu, normalizer_fn=None, normalizer_params=None, **kwargs";
constexpr std::string_view k_slim_transpose =
    "inputs, num_outputs, kernel_size, stride=1, padding='SAME', data_format=None, "
    "activation_fn=tensorflow.nn.relu, normalizer_fn=None, normalizer_params=None, **kwargs";
constexpr std::string_view k_slim_pool =
    "inputs, kernel_size, stride=2, padding='VALID', data_format=None, outputs_collections=None, "
    "scope=None";

constexpr uint32_t k_conv_traits = k_learning | k_convolution;
constexpr uint32_t k_norm_traits = k_normalising | k_mode_dependent;
constexpr uint32_t k_drop_traits = k_dropping | k_mode_dependent | k_elementwise;

constexpr Api row(std::string_view name,
                  std::string_view signature,
                  std::string_view op,
                  uint32_t traits,
                  Transfer transfer,
                  int axes = 0)
{
  return {name, signature, Role::layer_function, op, traits, transfer, {}, axes};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    row("tensorflow.layers.dense", k_dense, "dense", k_learning, keras::dense),
    row("tensorflow.layers.conv1d", k_conv, "conv", k_conv_traits, keras::convolve, 1),
    row("tensorflow.layers.conv2d", k_conv, "conv", k_conv_traits, keras::convolve, 2),
    row("tensorflow.layers.conv3d", k_conv, "conv", k_conv_traits, keras::convolve, 3),
    row("tensorflow.layers.separable_conv1d", k_separable, "separable_conv", k_conv_traits, keras::convolve, 1),
    row("tensorflow.layers.separable_conv2d", k_separable, "separable_conv", k_conv_traits, keras::convolve, 2),
    row("tensorflow.layers.conv2d_transpose", k_transpose, "conv", k_conv_traits | k_transposed, keras::convolve_transposed, 2),
    row("tensorflow.layers.conv3d_transpose", k_transpose, "conv", k_conv_traits | k_transposed, keras::convolve_transposed, 3),
    row("tensorflow.layers.max_pooling1d", k_pool, "max_pool", k_pooling, keras::pool, 1),
    row("tensorflow.layers.max_pooling2d", k_pool, "max_pool", k_pooling, keras::pool, 2),
    row("tensorflow.layers.max_pooling3d", k_pool, "max_pool", k_pooling, keras::pool, 3),
    row("tensorflow.layers.average_pooling1d", k_pool, "avg_pool", k_pooling, keras::pool, 1),
    row("tensorflow.layers.average_pooling2d", k_pool, "avg_pool", k_pooling, keras::pool, 2),
    row("tensorflow.layers.average_pooling3d", k_pool, "avg_pool", k_pooling, keras::pool, 3),
    row("tensorflow.layers.flatten", "inputs, name=None, data_format='channels_last'", "flatten", k_reshaping, keras::flatten),
    row("tensorflow.layers.dropout", "inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None", "dropout", k_drop_traits, keras::drop),
    row("tensorflow.layers.batch_normalization", k_batch_norm, "batch_norm", k_norm_traits, keras::normalise),

    row("tensorflow.contrib.layers.fully_connected", k_slim_dense, "dense", k_learning, contrib_dense),
    row("tensorflow.contrib.layers.linear", "inputs, num_outputs, activation_fn=None, normalizer_fn=None, **kwargs", "dense", k_learning, contrib_dense),
    row("tensorflow.contrib.layers.relu", k_slim_dense, "dense", k_learning, contrib_dense),
    row("tensorflow.contrib.layers.conv1d", k_slim_conv, "conv", k_conv_traits, contrib_convolution, 1),
    row("tensorflow.contrib.layers.conv2d", k_slim_conv, "conv", k_conv_traits, contrib_convolution, 2),
    row("tensorflow.contrib.layers.conv3d", k_slim_conv, "conv", k_conv_traits, contrib_convolution, 3),
    row("tensorflow.contrib.layers.separable_conv2d", k_slim_separable, "separable_conv", k_conv_traits, contrib_convolution, 2),
    row("tensorflow.contrib.layers.conv2d_transpose", k_slim_transpose, "conv", k_conv_traits | k_transposed, contrib_convolution, 2),
    row("tensorflow.contrib.layers.conv3d_transpose", k_slim_transpose, "conv", k_conv_traits | k_transposed, contrib_convolution, 3),
    row("tensorflow.contrib.layers.max_pool2d", k_slim_pool, "max_pool", k_pooling, contrib_pool, 2),
    row("tensorflow.contrib.layers.avg_pool2d", k_slim_pool, "avg_pool", k_pooling, contrib_pool, 2),
    row("tensorflow.contrib.layers.max_pool3d", k_slim_pool, "max_pool", k_pooling, contrib_pool, 3),
    row("tensorflow.contrib.layers.avg_pool3d", k_slim_pool, "avg_pool", k_pooling, contrib_pool, 3),
    row("tensorflow.contrib.layers.flatten", "inputs, outputs_collections=None, scope=None", "flatten", k_reshaping, keras::flatten),
    row("tensorflow.contrib.layers.dropout", "inputs, keep_prob=0.5, noise_shape=None, is_training=True, **kwargs", "dropout", k_drop_traits, keras::drop),
    row("tensorflow.contrib.layers.batch_norm", "inputs, decay=0.999, center=True, scale=False, epsilon=0.001, activation_fn=None, param_initializers=None, param_regularizers=None, updates_collections=None, is_training=True, reuse=None, **kwargs", "batch_norm", k_norm_traits, contrib_norm),
    row("tensorflow.contrib.layers.layer_norm", "inputs, center=True, scale=True, activation_fn=None, **kwargs", "layer_norm", k_normalising, contrib_norm),
    row("tensorflow.contrib.layers.instance_norm", "inputs, center=True, scale=True, epsilon=1e-06, activation_fn=None, **kwargs", "instance_norm", k_normalising, contrib_norm),
    row("tensorflow.contrib.layers.group_norm", "inputs, groups=32, channels_axis=-1, reduction_axes=(-3, -2), activation_fn=None, **kwargs", "group_norm", k_normalising, contrib_norm),
    {"tensorflow.contrib.layers.softmax", "logits, scope=None, axis=None", Role::function, "softmax", k_activation | k_elementwise, tf::activation},
    {"tensorflow.contrib.layers.one_hot_encoding", "labels, num_classes, on_value=1.0, off_value=0.0, **kwargs", Role::function, "one_hot", k_no_gradient, one_hot_encoding},
    {"tensorflow.contrib.layers.embed_sequence", "ids, vocab_size=None, embed_dim=None, **kwargs", Role::layer_function, "embedding", k_learning},
    {"tensorflow.contrib.layers.bias_add", "inputs, **kwargs", Role::layer_function, "add", k_elementwise, tf::same},
    {"tensorflow.contrib.layers.l2_regularizer", "scale, scope=None", Role::regularizer, "l2"},
    {"tensorflow.contrib.layers.l1_regularizer", "scale, scope=None", Role::regularizer, "l1"},
    {"tensorflow.contrib.layers.l1_l2_regularizer", "scale_l1=1.0, scale_l2=1.0, scope=None", Role::regularizer, "l1_l2"},
    {"tensorflow.contrib.layers.apply_regularization", "regularizer, weights_list=None", Role::opaque},
    {"tensorflow.contrib.layers.optimize_loss", "loss, global_step, learning_rate, optimizer, **kwargs", Role::function, "minimize", 0, train_op},
    {"tensorflow.contrib.layers.repeat", "inputs, repetitions, layer, *args, **kwargs", Role::opaque},
    {"tensorflow.contrib.layers.stack", "inputs, layer, stack_args, **kwargs", Role::opaque},
    {"tensorflow.contrib.framework.arg_scope", "list_ops_or_scope, **kwargs", Role::scope, "arg_scope"},
    {"tensorflow.contrib.slim.learning.create_train_op", "total_loss, optimizer, global_step=None, **kwargs", Role::function, "minimize", 0, train_op},
    {"tensorflow.contrib.slim.learning.train", "train_op, logdir, **kwargs", Role::function, "session_run"},
    {"tensorflow.contrib.training.create_train_op", "total_loss, optimizer, global_step=None, **kwargs", Role::function, "minimize", 0, train_op},
};
// clang-format on

} // namespace

std::span<const Api> tf_layers()
{
  return k_rows;
}

} // namespace faultline::program
