// Convolutions of all kinds, up-sampling, padding and cropping.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/layers.hpp"
#include "program/libraries/keras/transfers.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"

#include <algorithm>
#include <array>

namespace faultline::program {

namespace {

using keras::begin;
using keras::end;
using keras::learned;

size_t axes_of(const Call& call)
{
  return static_cast<size_t>(call.api->number);
}

int64_t channel_axis(Machine& machine, const Call& call)
{
  return keras::channels_first(machine, call) ? 1 : -1;
}

void set(Call& call, std::string_view name, Ref value, Span span)
{
  for (Argument& argument : call.arguments) {
    if (argument.name == name) {
      argument.value = value;
      argument.span = span;
      argument.given = true;
      return;
    }
  }
  call.arguments.push_back({.name = name, .value = value, .span = span, .given = true});
}

Span joined(Span a, Span b)
{
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

bool is_whole(Machine& machine, const Argument* argument)
{
  return argument != nullptr && argument->value->kind == Kind::constant &&
         machine.to_int(argument->value).has_value();
}

// Conv2D(32, 3, 3): Keras 1 and stand-alone Keras 2 read a kernel of 3x3, others a stride of 3.
void read_sizes(Machine& machine, Call& made)
{
  const Argument* kernel = made.given("kernel_size");
  const Argument* strides = made.given("strides");
  if (made.api->number < 2 || !is_whole(machine, kernel) || !is_whole(machine, strides) ||
      !tf::is_positional(machine, made, *strides) || keras::is_from_tensorflow(machine)) {
    return;
  }
  const Span span = joined(kernel->span, strides->span);
  const bool old = keras::is_old_keras(machine) || made.keyword("border_mode") != nullptr ||
                   made.keyword("init") != nullptr || made.keyword("dim_ordering") != nullptr;
  const Ref size = old ? machine.tuple({kernel->value, strides->value}) : machine.unknown();
  set(made, "kernel_size", size, span);
  set(made, "strides", old ? machine.integer(1) : machine.unknown(), span);
}

// Convolution2D(32, 3, 3, border_mode='same'), whose signature has both generations' names.
void read_old_names(Machine& machine, Call& made)
{
  constexpr std::array<std::array<std::string_view, 2>, 8> k_pairs = {{
      {"nb_filter", "filters"},
      {"init", "kernel_initializer"},
      {"border_mode", "padding"},
      {"subsample", "strides"},
      {"W_regularizer", "kernel_regularizer"},
      {"b_regularizer", "bias_regularizer"},
      {"bias", "use_bias"},
      {"atrous_rate", "dilation_rate"},
  }};
  for (const auto& [old, now] : k_pairs) {
    if (const Argument* given = made.given(old)) {
      set(made, now, given->value, given->span);
    }
  }
  if (const Argument* order = made.given("dim_ordering")) {
    const bool first = machine.to_string(order->value) == "th";
    set(made,
        "data_format",
        machine.string(first ? "channels_first" : "channels_last"),
        order->span);
  }
  const Argument* rows = made.given("nb_row");
  const Argument* columns = made.given("nb_col");
  if (rows == nullptr) {
    return;
  }
  if (as<Sequence>(rows->value) != nullptr || columns == nullptr) {
    set(made, "kernel_size", rows->value, rows->span);
    if (columns != nullptr) {
      set(made, "strides", columns->value, columns->span);
    }
    return;
  }
  std::vector<Ref> sizes{rows->value, columns->value};
  Span span = joined(rows->span, columns->span);
  if (const Argument* third = made.given("kernel_dim3")) {
    sizes.push_back(third->value);
    span = joined(span, third->span);
  }
  set(made, "kernel_size", machine.tuple(std::move(sizes)), span);
}

Tensor* begin_convolution(Machine& machine, Call& call)
{
  Tensor* x = begin(machine, call);
  if (call.layer != nullptr && call.layer->made_by != nullptr) {
    Call& made = *call.layer->made_by;
    if (made.argument("nb_filter") != nullptr) {
      read_old_names(machine, made);
    } else {
      read_sizes(machine, made);
    }
  }
  return x;
}

void check_groups(Machine& machine, Call& call, Dim channels)
{
  const Ref setting = call.setting_value("groups");
  const auto groups = setting != nullptr ? machine.to_int(setting) : std::nullopt;
  if (!groups || *groups <= 1) {
    return;
  }
  const auto in = channels.constant();
  const auto out = machine.to_int(call.setting_value("filters"));
  for (const auto& [count, what] : {std::pair(in, "input channels"), std::pair(out, "filters")}) {
    if (count && *count % *groups != 0) {
      machine.problem(ProblemKind::groups,
                      keras::place(call, "groups"),
                      format("{} groups do not divide {} {}", *groups, *count, what),
                      &call);
    }
  }
}

// An image whose channels look like a height: (3, 32, 32) where (32, 32, 3) is wanted.
void check_axis_order(Machine& machine, Call& call, const Tensor& x)
{
  constexpr int64_t k_many_channels = 16;
  const bool is_raw =
      x.producer == nullptr || x.producer->is("input") || x.producer->is("placeholder");
  if (call.api->number != 2 || x.shape.rank() != 4 || !is_raw) {
    return;
  }
  const bool first = keras::channels_first(machine, call);
  const auto channels = x.shape.at(first ? 1 : -1).constant();
  const auto other = x.shape.at(first ? -1 : 1).constant();
  if (channels && other && *channels > k_many_channels && (*other == 1 || *other == 3)) {
    Problem& problem =
        machine.problem(ProblemKind::axis_order,
                        keras::input_place(call),
                        format("{} is read as {} channels, though axis {} looks like the channels",
                               x.shape.text(),
                               *channels,
                               first ? "-1" : "1"),
                        &call);
    problem.help = first ? "`channels_first` wants (channels, height, width)"
                         : "`channels_last` wants (height, width, channels)";
  }
}

// Known rank, and nothing else, after a mistake.
Tensor* of_rank(Machine& machine, Call& call, size_t rank)
{
  return learned(machine, call, Shape::of_rank(rank));
}

Ref convolution(Machine& machine, Call& call)
{
  const Tensor* x = begin_convolution(machine, call);
  const size_t axes = axes_of(call);
  if (!keras::expect_rank(machine, call, *x, axes + 2)) {
    return end(machine, call, of_rank(machine, call, axes + 2));
  }
  const Dim channels = x->shape.at(channel_axis(machine, call));
  keras::expect_same_features(machine, call, *x, channel_axis(machine, call));
  keras::check_given_weights(machine, call, *x);
  check_groups(machine, call, channels);
  check_axis_order(machine, call, *x);
  const keras::Sliding way = keras::sliding(machine, call, "kernel_size", axes);
  const Shape shape =
      keras::slid(machine, call, *x, way, axes, machine.to_dim(call.setting_value("filters")));
  return end(machine, call, learned(machine, call, shape));
}

Ref depthwise(Machine& machine, Call& call)
{
  const Tensor* x = begin_convolution(machine, call);
  const size_t axes = axes_of(call);
  if (!keras::expect_rank(machine, call, *x, axes + 2)) {
    return end(machine, call, of_rank(machine, call, axes + 2));
  }
  const keras::Sliding way = keras::sliding(machine, call, "kernel_size", axes);
  const Dim each = machine.to_dim(call.setting_value("depth_multiplier"));
  const Dim channels = x->shape.at(channel_axis(machine, call)).times(each);
  return end(
      machine, call, learned(machine, call, keras::slid(machine, call, *x, way, axes, channels)));
}

Dim transposed_axis(Dim n, const Window& window, std::optional<int64_t> extra)
{
  const int64_t reach = window.dilation * (window.kernel - 1) + 1;
  if (extra) {
    const int64_t cut = window.same ? reach / 2 : 0;
    return n.minus(Dim::constant(1))
        .times(Dim::constant(window.stride))
        .plus(Dim::constant(reach - 2 * cut + *extra));
  }
  const Dim grown = n.times(Dim::constant(window.stride));
  return window.same ? grown
                     : grown.plus(Dim::constant(std::max<int64_t>(reach - window.stride, 0)));
}

Ref transposed_convolution(Machine& machine, Call& call)
{
  const Tensor* x = begin_convolution(machine, call);
  const size_t axes = axes_of(call);
  if (!keras::expect_rank(machine, call, *x, axes + 2)) {
    return end(machine, call, of_rank(machine, call, axes + 2));
  }
  keras::expect_same_features(machine, call, *x, channel_axis(machine, call));
  const bool first = keras::channels_first(machine, call);
  const keras::Sliding way = keras::sliding(machine, call, "kernel_size", axes);
  const Ref extra = call.setting_value("output_padding");
  const bool plain = extra == nullptr || machine.is_none(extra);
  const auto extras = plain ? std::nullopt : machine.to_ints(extra, axes);
  Shape shape = x->shape.has_rank() ? x->shape : Shape::of_rank(axes + 2);
  for (size_t i = 0; i < axes; ++i) {
    const auto axis = static_cast<int64_t>(i + (first ? 2 : 1));
    const bool known = way.windows.has_value() && (plain || extras.has_value());
    shape = shape.with(axis,
                       known ? transposed_axis(shape.at(axis),
                                               (*way.windows)[i],
                                               extras ? std::optional((*extras)[i]) : std::nullopt)
                             : Dim::top());
  }
  shape = shape.with(first ? 1 : -1, machine.to_dim(call.setting_value("filters")));
  return end(machine, call, learned(machine, call, shape));
}

Ref upsampling(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const size_t axes = axes_of(call);
  if (!keras::expect_rank(machine, call, *x, axes + 2)) {
    return end(machine, call, keras::moved(machine, call, *x, Shape::of_rank(axes + 2)));
  }
  const auto factors = machine.to_ints(call.setting_value("size"), axes);
  Shape shape = x->shape.has_rank() ? x->shape : Shape::of_rank(axes + 2);
  const int64_t from = keras::channels_first(machine, call) ? 2 : 1;
  for (size_t i = 0; i < axes; ++i) {
    const int64_t axis = from + static_cast<int64_t>(i);
    shape =
        shape.with(axis, factors ? shape.at(axis).times(Dim::constant((*factors)[i])) : Dim::top());
  }
  return end(machine, call, keras::moved(machine, call, *x, shape));
}

// An int for all sides, or for each axis an int or a pair.
std::optional<std::vector<std::pair<int64_t, int64_t>>>
amounts(Machine& machine, Ref value, size_t axes)
{
  if (const auto all = machine.to_int(value)) {
    return std::vector<std::pair<int64_t, int64_t>>(axes, {*all, *all});
  }
  const auto* list = as<Sequence>(value);
  if (list == nullptr || list->open) {
    return std::nullopt;
  }
  std::vector<std::pair<int64_t, int64_t>> result;
  for (const Ref item : list->items) {
    const auto pair = machine.to_ints(item, 2);
    if (!pair) {
      return std::nullopt;
    }
    result.emplace_back((*pair)[0], (*pair)[1]);
  }
  if (axes == 1 && result.size() == 2) {
    return std::vector<std::pair<int64_t, int64_t>>{{result[0].first, result[1].first}};
  }
  return result.size() == axes ? std::optional(result) : std::nullopt;
}

Ref pad_or_crop(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const size_t axes = axes_of(call);
  if (!keras::expect_rank(machine, call, *x, axes + 2)) {
    return end(machine, call, keras::moved(machine, call, *x, Shape::of_rank(axes + 2)));
  }
  const bool crops = call.is("crop");
  auto sides = amounts(machine, call.setting_value(crops ? "cropping" : "padding"), axes);
  Shape shape = Shape::of_rank(axes + 2);
  if (sides && x->shape.has_rank()) {
    if (crops) {
      for (auto& [before, after] : *sides) {
        before = -before;
        after = -after;
      }
    }
    const size_t from = keras::channels_first(machine, call) ? 2 : 1;
    shape = tf::checked(machine, call, padded(x->shape, from, *sides), call.span);
  }
  Tensor* made = keras::moved(machine, call, *x, shape);
  if (!crops && made->interval.is_known()) {
    made->interval.join(Interval::point(0));
  }
  return end(machine, call, made);
}

constexpr std::string_view k_conv =
    "filters, kernel_size, strides=1, padding='valid', data_format=None, dilation_rate=1, "
    "groups=1, "
    "activation=None, use_bias=True, kernel_initializer='glorot_uniform', "
    "bias_initializer='zeros', "
    "kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, "
    "kernel_constraint=None, bias_constraint=None, **kwargs";
constexpr std::string_view k_old_conv =
    "nb_filter, nb_row, nb_col=None, init='glorot_uniform', activation=None, weights=None, "
    "border_mode='valid', subsample=1, dim_ordering=None, W_regularizer=None, b_regularizer=None, "
    "activity_regularizer=None, W_constraint=None, b_constraint=None, bias=True, atrous_rate=1, "
    "filters=None, kernel_size=None, strides=1, padding='valid', data_format=None, "
    "dilation_rate=1, "
    "use_bias=True, kernel_initializer='glorot_uniform', bias_initializer='zeros', "
    "kernel_regularizer=None, bias_regularizer=None, **kwargs";
constexpr std::string_view k_old_conv3 =
    "nb_filter, nb_row, nb_col=None, kernel_dim3=None, init='glorot_uniform', activation=None, "
    "weights=None, border_mode='valid', subsample=1, dim_ordering=None, W_regularizer=None, "
    "b_regularizer=None, activity_regularizer=None, W_constraint=None, b_constraint=None, "
    "bias=True, "
    "filters=None, kernel_size=None, strides=1, padding='valid', data_format=None, "
    "dilation_rate=1, "
    "use_bias=True, kernel_initializer='glorot_uniform', bias_initializer='zeros', "
    "kernel_regularizer=None, bias_regularizer=None, **kwargs";
constexpr std::string_view k_separable =
    "filters, kernel_size, strides=1, padding='valid', data_format=None, dilation_rate=1, "
    "depth_multiplier=1, activation=None, use_bias=True, depthwise_initializer='glorot_uniform', "
    "pointwise_initializer='glorot_uniform', bias_initializer='zeros', **kwargs";
constexpr std::string_view k_depthwise =
    "kernel_size, strides=1, padding='valid', depth_multiplier=1, data_format=None, "
    "dilation_rate=1, "
    "activation=None, use_bias=True, depthwise_initializer='glorot_uniform', "
    "bias_initializer='zeros', **kwargs";
constexpr std::string_view k_transpose =
    "filters, kernel_size, strides=1, padding='valid', output_padding=None, data_format=None, "
    "dilation_rate=1, activation=None, use_bias=True, kernel_initializer='glorot_uniform', "
    "bias_initializer='zeros', kernel_regularizer=None, bias_regularizer=None, "
    "activity_regularizer=None, kernel_constraint=None, bias_constraint=None, **kwargs";
constexpr std::string_view k_local =
    "filters, kernel_size, strides=1, padding='valid', data_format=None, activation=None, "
    "use_bias=True, kernel_initializer='glorot_uniform', bias_initializer='zeros', **kwargs";

constexpr uint32_t k_conv_traits = k_learning | k_convolution;

constexpr Api conv(std::string_view name, std::string_view signature, int rank)
{
  return {name, signature, Role::layer, "conv", k_conv_traits, convolution, {}, rank};
}
constexpr Api transpose(std::string_view name, int rank)
{
  return {name,
          k_transpose,
          Role::layer,
          "conv",
          k_conv_traits | k_transposed,
          transposed_convolution,
          {},
          rank};
}
constexpr Api separable(std::string_view name, int rank)
{
  return {name, k_separable, Role::layer, "separable_conv", k_conv_traits, convolution, {}, rank};
}
constexpr Api depthwise_row(std::string_view name, int rank)
{
  return {name, k_depthwise, Role::layer, "depthwise_conv", k_conv_traits, depthwise, {}, rank};
}
constexpr Api local(std::string_view name, int rank)
{
  return {name, k_local, Role::layer, "local_conv", k_conv_traits, convolution, {}, rank};
}
constexpr Api up(std::string_view name, std::string_view signature, int rank)
{
  return {name, signature, Role::layer, "upsample", k_reshaping, upsampling, {}, rank};
}
constexpr Api pad(std::string_view name, std::string_view signature, int rank)
{
  return {name, signature, Role::layer, "pad", k_reshaping, pad_or_crop, {}, rank};
}
constexpr Api crop(std::string_view name, std::string_view signature, int rank)
{
  return {name, signature, Role::layer, "crop", k_reshaping, pad_or_crop, {}, rank};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    conv("keras.layers.Conv1D", k_conv, 1),
    conv("keras.layers.Conv2D", k_conv, 2),
    conv("keras.layers.Conv3D", k_conv, 3),
    conv("keras.layers.Convolution2D", k_old_conv, 2),
    conv("keras.layers.Convolution3D", k_old_conv3, 3),
    conv("keras.layers.AtrousConvolution2D", k_old_conv, 2),
    conv("keras.layers.AtrousConvolution1D", k_conv, 1),
    transpose("keras.layers.Conv1DTranspose", 1),
    transpose("keras.layers.Conv2DTranspose", 2),
    transpose("keras.layers.Conv3DTranspose", 3),
    separable("keras.layers.SeparableConv1D", 1),
    separable("keras.layers.SeparableConv2D", 2),
    depthwise_row("keras.layers.DepthwiseConv1D", 1),
    depthwise_row("keras.layers.DepthwiseConv2D", 2),
    local("keras.layers.LocallyConnected1D", 1),
    local("keras.layers.LocallyConnected2D", 2),
    up("keras.layers.UpSampling1D", "size=2, **kwargs", 1),
    up("keras.layers.UpSampling2D", "size=(2, 2), data_format=None, interpolation='nearest', **kwargs", 2),
    up("keras.layers.UpSampling3D", "size=(2, 2, 2), data_format=None, **kwargs", 3),
    pad("keras.layers.ZeroPadding1D", "padding=1, data_format=None, **kwargs", 1),
    pad("keras.layers.ZeroPadding2D", "padding=(1, 1), data_format=None, **kwargs", 2),
    pad("keras.layers.ZeroPadding3D", "padding=(1, 1, 1), data_format=None, **kwargs", 3),
    crop("keras.layers.Cropping1D", "cropping=(1, 1), **kwargs", 1),
    crop("keras.layers.Cropping2D", "cropping=((0, 0), (0, 0)), data_format=None, **kwargs", 2),
    crop("keras.layers.Cropping3D", "cropping=((1, 1), (1, 1), (1, 1)), data_format=None, **kwargs", 3),
};
// clang-format on

} // namespace

namespace keras {

Ref convolve(Machine& machine, Call& call)
{
  return convolution(machine, call);
}

Ref convolve_depthwise(Machine& machine, Call& call)
{
  return depthwise(machine, call);
}

Ref convolve_transposed(Machine& machine, Call& call)
{
  return transposed_convolution(machine, call);
}

} // namespace keras

std::span<const Api> keras_layers_conv()
{
  return k_rows;
}

} // namespace faultline::program
