// tf.nn: activations, convolutions and pooling with explicit weights, normalisation, dropout.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/tensorflow/rows.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"

namespace faultline::program {

namespace {

using tf::argument;
using tf::checked;
using tf::operand;
using tf::result;

bool channels_first(Machine& machine, const Call& call)
{
  const auto format = machine.to_string(call.arg("data_format"));
  return format && format->starts_with("NC");
}

// Sizes of the spatial axes, from one number, one for each of them, or one for each axis.
std::optional<std::vector<int64_t>>
spatial(Machine& machine, Ref value, size_t axes, bool first, int64_t fallback)
{
  if (value == nullptr || machine.is_none(value)) {
    return std::vector<int64_t>(axes, fallback);
  }
  const auto* list = as<Sequence>(value);
  if (list == nullptr || list->items.size() != axes + 2) {
    return machine.to_ints(value, axes);
  }
  const auto all = machine.to_ints(value, axes + 2);
  if (!all) {
    return std::nullopt;
  }
  const auto from = all->begin() + (first ? 2 : 1);
  return std::vector<int64_t>(from, from + static_cast<std::ptrdiff_t>(axes));
}

std::optional<std::vector<Window>> windows(Machine& machine,
                                           const Call& call,
                                           const std::optional<std::vector<int64_t>>& kernel,
                                           size_t axes)
{
  const bool first = channels_first(machine, call);
  const auto strides = spatial(machine, tf::option(call, {"strides", "stride"}), axes, first, 1);
  const auto dilation = spatial(machine, tf::option(call, {"dilations", "rate"}), axes, first, 1);
  const auto padding = machine.to_string(call.arg("padding"));
  if (!kernel || !strides || !dilation || !padding) {
    return std::nullopt;
  }
  std::vector<Window> made;
  for (size_t i = 0; i < axes; ++i) {
    made.push_back({.kernel = (*kernel)[i],
                    .stride = (*strides)[i],
                    .dilation = (*dilation)[i],
                    .same = *padding == "SAME" || *padding == "same"});
  }
  return made;
}

bool expect_rank(
    Machine& machine, Call& call, const Tensor& x, size_t rank, size_t argument_number = 0)
{
  if (!x.shape.has_rank() || *x.shape.rank() == rank) {
    return true;
  }
  machine.problem(ProblemKind::rank,
                  tf::argument_span(call, argument_number),
                  format("`{}` takes a tensor of rank {} here, but gets shape {}",
                         keras::short_name(call),
                         rank,
                         x.shape.text()),
                  &call);
  return false;
}

bool expect_channels(
    Machine& machine, Call& call, const Shape& input, Dim channels, const Shape& filter, Dim wanted)
{
  if (channels.compare(wanted) != Dim::Comparison::different) {
    return true;
  }
  machine.problem(ProblemKind::features,
                  call.span,
                  format("the filter {} takes {} channels, but the input {} has {}",
                         filter.text(),
                         wanted.text(),
                         input.text(),
                         channels.text()),
                  &call);
  return false;
}

// The kernel's sizes, from the shape of the filter.
std::optional<std::vector<int64_t>> kernel_of(const Shape& filter, size_t axes)
{
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < axes; ++i) {
    const auto size = filter.at(static_cast<int64_t>(i)).constant();
    if (!size) {
      return std::nullopt;
    }
    sizes.push_back(*size);
  }
  return sizes;
}

Ref convolution(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Tensor* filter = operand(machine, tf::option(call, {"filters", "filter"}));
  const auto axes = static_cast<size_t>(call.api->number);
  tf::expect_same_dtype(machine, call, *x, *filter);
  const bool fits =
      expect_rank(machine, call, *x, axes + 2) && expect_rank(machine, call, *filter, axes + 2, 1);
  Shape shape = Shape::of_rank(axes + 2);
  const bool first = channels_first(machine, call);
  if (fits && x->shape.has_rank() && filter->shape.has_rank()) {
    const Dim channels = x->shape.at(first ? 1 : -1);
    const Dim in = filter->shape.at(-2);
    const bool depthwise = call.is("depthwise_conv");
    // The filter of a grouped convolution takes a part of the channels.
    const auto all = channels.constant();
    const auto part = in.constant();
    const bool grouped =
        !depthwise && all && part && *part > 0 && *all % *part == 0 && *all != *part;
    if (!grouped) {
      expect_channels(machine, call, x->shape, channels, filter->shape, in);
    }
    shape = checked(machine,
                    call,
                    slide(x->shape,
                          first ? 2 : 1,
                          axes,
                          windows(machine, call, kernel_of(filter->shape, axes), axes)),
                    call.span);
    if (!shape.has_rank()) {
      shape = Shape::of_rank(axes + 2).with(0, x->shape.at(0));
    }
    const Dim out = depthwise ? channels.times(filter->shape.at(-1)) : filter->shape.at(-1);
    shape = shape.with(first ? 1 : -1, out);
  } else if (filter->shape.has_rank() && fits && !call.is("depthwise_conv")) {
    shape = shape.with(first ? 1 : -1, filter->shape.at(-1));
  }
  return result(machine, call, shape, x->dtype, Interval::reals());
}

Ref separable(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Tensor* depthwise = operand(machine, call.arg("depthwise_filter"));
  const Tensor* pointwise = operand(machine, call.arg("pointwise_filter"));
  Shape shape = Shape::of_rank(4);
  if (expect_rank(machine, call, *x, 4) && x->shape.has_rank()) {
    expect_channels(
        machine, call, x->shape, x->shape.at(-1), depthwise->shape, depthwise->shape.at(2));
    shape =
        checked(machine,
                call,
                slide(x->shape, 1, 2, windows(machine, call, kernel_of(depthwise->shape, 2), 2)),
                call.span);
    shape = shape.has_rank() ? shape.with(-1, pointwise->shape.at(-1)) : Shape::of_rank(4);
  }
  return result(machine, call, shape, x->dtype, Interval::reals());
}

// The filter is (height, width, out, in), and output_shape must lead back to the input.
Ref transposed_convolution(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Tensor* filter = operand(machine, tf::option(call, {"filters", "filter"}));
  const auto axes = static_cast<size_t>(call.api->number);
  const Shape wanted = tf::shape_of(machine, call.arg("output_shape"));
  if (!expect_rank(machine, call, *x, axes + 2) || !x->shape.has_rank()) {
    return result(machine,
                  call,
                  wanted.rank() == axes + 2 ? wanted : Shape::of_rank(axes + 2),
                  x->dtype,
                  Interval::reals());
  }
  const bool first = channels_first(machine, call);
  expect_channels(
      machine, call, x->shape, x->shape.at(first ? 1 : -1), filter->shape, filter->shape.at(-1));
  if (wanted.rank() == axes + 2) {
    const Shaped back = slide(
        wanted, first ? 2 : 1, axes, windows(machine, call, kernel_of(filter->shape, axes), axes));
    for (size_t i = 0; i < axes && back.shape.has_rank(); ++i) {
      const auto axis = static_cast<int64_t>(i + (first ? 2 : 1));
      if (back.shape.at(axis).compare(x->shape.at(axis)) == Dim::Comparison::different) {
        machine.problem(
            ProblemKind::skip_size,
            keras::place(call, "output_shape"),
            format(
                "an output {} would come from an input of size {} on axis {}, but the input is {}",
                wanted.text(),
                back.shape.at(axis).text(),
                axis,
                x->shape.text()),
            &call);
        break;
      }
    }
  }
  return result(machine,
                call,
                wanted.rank() == axes + 2 ? wanted : Shape::of_rank(axes + 2),
                x->dtype,
                Interval::reals());
}

Ref pool(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const auto axes = static_cast<size_t>(call.api->number);
  Shape shape = Shape::of_rank(axes + 2);
  if (expect_rank(machine, call, *x, axes + 2) && x->shape.has_rank()) {
    const bool first = channels_first(machine, call);
    const auto kernel = spatial(machine, call.arg("ksize"), axes, first, 1);
    shape = checked(machine,
                    call,
                    slide(x->shape, first ? 2 : 1, axes, windows(machine, call, kernel, axes)),
                    call.span);
    if (!shape.has_rank()) {
      shape = Shape::of_rank(axes + 2);
    }
  }
  return tf::moved(machine, call, *x, shape);
}

Ref bias_add(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Tensor* bias = operand(machine, argument(call, 1));
  tf::expect_same_dtype(machine, call, *x, *bias);
  expect_rank(machine, call, *bias, 1, 1);
  const Dim channels = x->shape.at(channels_first(machine, call) ? 1 : -1);
  if (bias->shape.rank() == 1 &&
      channels.compare(bias->shape.at(0)) == Dim::Comparison::different) {
    machine.problem(ProblemKind::broadcast,
                    tf::argument_span(call, 1),
                    format("a bias {} is added to {}", bias->shape.text(), x->shape.text()),
                    &call);
  }
  return result(machine, call, x->shape, x->dtype, x->interval.plus(bias->interval));
}

// x · weights + biases
Ref linear(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Tensor* weights = operand(machine, argument(call, 1));
  Shape shape = Shape::of_rank(2);
  if (expect_rank(machine, call, *x, 2) && expect_rank(machine, call, *weights, 2, 1)) {
    shape = checked(machine, call, matrix_product(x->shape, weights->shape), call.span);
  }
  return result(machine, call, shape, x->dtype, Interval::reals());
}

Ref batch_normalization(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  Tensor* made = result(machine, call, x->shape, x->dtype, Interval::reals());
  if (!call.name.ends_with("fused_batch_norm")) {
    return made;
  }
  const Shape channels = Shape::of({x->shape.at(channels_first(machine, call) ? 1 : -1)});
  return machine.tuple(
      {made, result(machine, call, channels, x->dtype), result(machine, call, channels, x->dtype)});
}

Ref l2_normalize(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  return result(machine, call, x->shape, x->dtype, Interval::of(-1, 1));
}

Ref l2_loss(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  return result(machine, call, Shape::scalar(), x->dtype, Interval::of(0, Interval::k_inf));
}

Ref embedding_lookup(Machine& machine, Call& call)
{
  Ref table = argument(call, 0);
  if (const auto* list = as<Sequence>(table); list != nullptr && list->items.size() == 1) {
    table = list->items.front();
  }
  const Tensor* weights = operand(machine, table);
  const Tensor* ids = operand(machine, argument(call, 1));
  tf::expect_integers(machine, call, *ids, tf::argument_span(call, 1));
  const auto rows = weights->shape.at(0).constant();
  if (rows && ids->interval.is_known() && ids->interval.high() != Interval::k_inf &&
      ids->interval.high() >= static_cast<double>(*rows)) {
    machine.problem(
        ProblemKind::embedding_range,
        tf::argument_span(call, 1),
        format("the table has {} rows, but indices go up to {}", *rows, ids->interval.high()),
        &call);
  }
  const Shape shape =
      weights->shape.rank() >= 1 ? ids->shape.plus(weights->shape.behind(1)) : Shape::top();
  return result(machine, call, shape, weights->dtype, weights->interval);
}

Ref concatenated_relu(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  return result(machine,
                call,
                x->shape.with(-1, x->shape.at(-1).times(Dim::constant(2))),
                x->dtype,
                Interval::of(0, Interval::k_inf));
}

constexpr uint32_t k_conv = k_learning | k_convolution;

constexpr std::string_view k_conv_args =
    "input, filters=None, strides=None, padding=None, use_cudnn_on_gpu=True, data_format='NHWC', "
    "dilations=None, name=None, filter=None";
constexpr std::string_view k_pool_args =
    "value, ksize=None, strides=None, padding=None, data_format='NHWC', name=None, input=None";
constexpr std::string_view k_softmax_args = "logits, axis=None, name=None, dim=None";

constexpr Api
act(std::string_view name, std::string_view op, std::string_view signature = "features, name=None")
{
  return tf::activates(name, op, signature);
}
constexpr Api
conv(std::string_view name, std::string_view signature, int axes, std::string_view op = "conv")
{
  return {name, signature, Role::layer_function, op, k_conv, convolution, {}, axes};
}
constexpr Api transposed_conv(std::string_view name, std::string_view signature, int axes)
{
  return {name,
          signature,
          Role::layer_function,
          "conv",
          k_conv | k_transposed,
          transposed_convolution,
          {},
          axes};
}
constexpr Api pools(std::string_view name, std::string_view op, int axes)
{
  return {name, k_pool_args, Role::function, op, k_pooling, pool, {}, axes};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    act("tensorflow.nn.relu", "relu"),
    act("tensorflow.nn.relu6", "relu6"),
    act("tensorflow.nn.leaky_relu", "leaky_relu", "features, alpha=0.2, name=None"),
    act("tensorflow.nn.elu", "elu"),
    act("tensorflow.nn.selu", "selu"),
    act("tensorflow.nn.gelu", "gelu", "features, approximate=False, name=None"),
    act("tensorflow.nn.swish", "swish"),
    act("tensorflow.nn.silu", "swish"),
    act("tensorflow.nn.softplus", "softplus"),
    act("tensorflow.nn.softsign", "softsign"),
    act("tensorflow.sigmoid", "sigmoid", "x, name=None"),
    act("tensorflow.tanh", "tanh", "x, name=None"),
    act("tensorflow.nn.softmax", "softmax", k_softmax_args),
    act("tensorflow.nn.log_softmax", "log_softmax", k_softmax_args),
    {"tensorflow.nn.crelu", "features, name=None, axis=-1", Role::function, "relu", k_activation, concatenated_relu},

    conv("tensorflow.nn.conv1d", "value, filters=None, stride=None, padding=None, use_cudnn_on_gpu=None, data_format=None, name=None, input=None, dilations=None", 1),
    conv("tensorflow.nn.conv2d", k_conv_args, 2),
    conv("tensorflow.nn.conv3d", "input, filters=None, strides=None, padding=None, data_format='NDHWC', dilations=None, name=None, filter=None", 3),
    conv("tensorflow.nn.convolution", "input, filters, padding='VALID', strides=None, dilations=None, name=None, data_format=None", 2),
    conv("tensorflow.nn.atrous_conv2d", "value, filters, rate, padding, name=None", 2),
    conv("tensorflow.nn.depthwise_conv2d", "input, filter, strides, padding, rate=None, name=None, data_format=None, dilations=None", 2, "depthwise_conv"),
    conv("tensorflow.nn.depthwise_conv2d_native", "input, filter, strides, padding, data_format='NHWC', dilations=None, name=None", 2, "depthwise_conv"),
    {"tensorflow.nn.separable_conv2d", "input, depthwise_filter, pointwise_filter, strides, padding, rate=None, name=None, data_format=None, dilations=None", Role::layer_function, "separable_conv", k_conv, separable, {}, 2},
    transposed_conv("tensorflow.nn.conv1d_transpose", "input, filters, output_shape, strides, padding='SAME', data_format='NWC', name=None", 1),
    transposed_conv("tensorflow.nn.conv2d_transpose", "value, filter=None, output_shape=None, strides=None, padding='SAME', data_format='NHWC', name=None, input=None, filters=None, dilations=None", 2),
    transposed_conv("tensorflow.nn.conv3d_transpose", "value, filter=None, output_shape=None, strides=None, padding='SAME', data_format='NDHWC', name=None, input=None, filters=None, dilations=None", 3),
    pools("tensorflow.nn.max_pool", "max_pool", 2),
    pools("tensorflow.nn.avg_pool", "avg_pool", 2),
    pools("tensorflow.nn.max_pool1d", "max_pool", 1),
    pools("tensorflow.nn.avg_pool1d", "avg_pool", 1),
    pools("tensorflow.nn.max_pool2d", "max_pool", 2),
    pools("tensorflow.nn.avg_pool2d", "avg_pool", 2),
    pools("tensorflow.nn.max_pool3d", "max_pool", 3),
    pools("tensorflow.nn.avg_pool3d", "avg_pool", 3),
    {"tensorflow.nn.pool", "input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, name=None, **kwargs", Role::function, "max_pool", k_pooling},
    {"tensorflow.nn.max_pool_with_argmax", "input, ksize, strides, padding, **kwargs", Role::function, "max_pool", k_pooling},

    {"tensorflow.nn.bias_add", "value, bias, data_format=None, name=None", Role::function, "add", k_elementwise, bias_add},
    {"tensorflow.nn.xw_plus_b", "x, weights, biases, name=None", Role::layer_function, "dense", k_learning, linear},
    {"tensorflow.nn.relu_layer", "x, weights, biases, name=None", Role::layer_function, "dense", k_learning, linear},
    {"tensorflow.nn.dropout", "x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None", Role::function, "dropout", k_dropping | k_elementwise, tf::same},
    {"tensorflow.nn.batch_normalization", "x, mean, variance, offset, scale, variance_epsilon, name=None", Role::function, "batch_norm", k_normalising, batch_normalization},
    {"tensorflow.nn.batch_norm_with_global_normalization", "t, m, v, beta, gamma, variance_epsilon, scale_after_normalization, name=None", Role::function, "batch_norm", k_normalising, batch_normalization},
    {"tensorflow.nn.fused_batch_norm", "x, scale, offset, mean=None, variance=None, epsilon=0.001, data_format='NHWC', is_training=True, name=None", Role::function, "batch_norm", k_normalising, batch_normalization},
    {"tensorflow.nn.local_response_normalization", "input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None", Role::function, "local_response_norm", k_normalising, batch_normalization},
    {"tensorflow.nn.lrn", "input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None", Role::function, "local_response_norm", k_normalising, batch_normalization},
    {"tensorflow.nn.l2_normalize", "x, axis=None, epsilon=1e-12, name=None, dim=None", Role::function, "l2_normalize", 0, l2_normalize},
    {"tensorflow.nn.l2_loss", "t, name=None", Role::function, "l2_loss", k_reduction, l2_loss},
    {"tensorflow.nn.zero_fraction", "value, name=None", Role::opaque},
    {"tensorflow.nn.embedding_lookup", "params, ids, partition_strategy='mod', name=None, validate_indices=True, max_norm=None", Role::layer_function, "embedding", 0, embedding_lookup},
    {"tensorflow.nn.embedding_lookup_sparse", "params, sp_ids, sp_weights, **kwargs", Role::layer_function, "embedding"},
};
// clang-format on

} // namespace

std::span<const Api> tf_nn()
{
  return k_rows;
}

} // namespace faultline::program
