// Layers and functions that slide a window over maps: convolution, pooling, padding, resizing.

#include "base/format.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"

#include <algorithm>

namespace faultline::program {

namespace torch {

namespace {

size_t spatial_rank(const Call& call)
{
  return static_cast<size_t>(call.api->number);
}

// The axis of the channels of (N, C, …) or (C, …).
size_t channel_axis(const Tensor& input, size_t spatial)
{
  return *input.shape.rank() - spatial - 1;
}

// Stride, padding and dilation of a call; nothing if one is not known.
std::optional<std::vector<Window>>
read_windows(Machine& machine, const Call& call, const std::vector<int64_t>& kernel)
{
  const size_t n = kernel.size();
  const Ref stride_value = option(call, {"stride"});
  const auto stride = stride_value == nullptr || machine.is_none(stride_value)
                          ? std::optional(kernel)
                          : machine.to_ints(stride_value, n);
  const Ref dilation_value = option(call, {"dilation"});
  const auto dilation = dilation_value == nullptr ? std::optional(std::vector<int64_t>(n, 1))
                                                  : machine.to_ints(dilation_value, n);
  const Ref padding_value = option(call, {"padding"});
  const auto word = machine.to_string(padding_value);
  auto padding = padding_value == nullptr || word ? std::optional(std::vector<int64_t>(n, 0))
                                                  : machine.to_ints(padding_value, n);
  if (!stride || !dilation || !padding) {
    return std::nullopt;
  }
  std::vector<Window> windows;
  for (size_t i = 0; i < n; ++i) {
    windows.push_back({.kernel = kernel[i],
                       .stride = (*stride)[i],
                       .dilation = (*dilation)[i],
                       .before = (*padding)[i],
                       .after = (*padding)[i],
                       .same = word == "same",
                       .round_up = is_true(machine, call, "ceil_mode")});
  }
  return windows;
}

bool fits_spatially(Machine& machine, Call& call, const Tensor& input)
{
  const size_t n = spatial_rank(call);
  return check_rank(machine, call, input, {n + 2, n + 1});
}

void check_same_padding(Machine& machine, const Call& call, const std::vector<Window>& windows)
{
  for (const Window& window : windows) {
    if (window.same && window.stride != 1) {
      machine
          .problem(
              ProblemKind::bad_argument,
              call.span,
              format("`{}` with padding='same' and stride {}", short_name(call), window.stride),
              &call)
          .help = "torch supports padding='same' with stride 1 only";
      return;
    }
  }
}

} // namespace

static Ref convolution(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  check_weights_meet(machine, call, input);
  const size_t n = spatial_rank(call);
  const auto kernel = machine.to_ints(call.setting_value("kernel_size"), n);
  const auto windows = kernel ? read_windows(machine, call, *kernel) : std::nullopt;
  if (windows && !call.has(k_transposed)) {
    check_same_padding(machine, call, *windows);
  }
  Shape shape = Shape::top();
  if (input.shape.has_rank() && fits_spatially(machine, call, input)) {
    const size_t axis = channel_axis(input, n);
    check_features(machine, call, input, static_cast<int64_t>(axis), "in_channels");
    Shaped slid = Shape::top();
    if (call.has(k_transposed)) {
      const auto extra = machine.to_ints(option(call, {"output_padding"}), n);
      slid = slide_transposed(input.shape,
                              axis + 1,
                              n,
                              extra ? windows : std::nullopt,
                              extra.value_or(std::vector<int64_t>()));
    } else {
      slid = slide(input.shape, axis + 1, n, windows);
    }
    shape = checked(machine, call, slid, operand_span(call, 0, "input"));
    shape =
        shape.with(static_cast<int64_t>(axis), machine.to_dim(call.setting_value("out_channels")));
  }
  Tensor* made = result(machine, call, input, shape, Interval::reals());
  return made;
}

// F.conv2d(input, weight): the weight's shape says what a module's settings say.
static Ref convolution_function(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Tensor& weight = as_tensor(machine, operand_value(call, 1, "weight"));
  const size_t n = spatial_rank(call);
  std::vector<int64_t> kernel;
  for (size_t i = 0; i < n; ++i) {
    if (const auto size = weight.shape.at(static_cast<int64_t>(i) + 2).constant()) {
      kernel.push_back(*size);
    }
  }
  const auto windows = kernel.size() == n ? read_windows(machine, call, kernel) : std::nullopt;
  Shape shape = Shape::top();
  if (input.shape.has_rank() && fits_spatially(machine, call, input)) {
    const size_t axis = channel_axis(input, n);
    const Dim channels = input.shape.dims()[axis];
    const auto groups = int_option(machine, call, {"groups"});
    const bool transposed = call.has(k_transposed);
    const Dim wanted = transposed ? weight.shape.at(0)
                       : groups   ? weight.shape.at(1).times(Dim::constant(*groups))
                                  : Dim::top();
    if (wanted.compare(channels) == Dim::Comparison::different) {
      machine.problem(ProblemKind::features,
                      operand_span(call, 0, "input"),
                      format("`{}` with a weight of shape {} gets {} channels in {}",
                             short_name(call),
                             weight.shape.text(),
                             channels.text(),
                             input.shape.text()),
                      &call);
    }
    const auto extra = machine.to_ints(option(call, {"output_padding"}), n);
    const Shaped slid =
        transposed ? slide_transposed(
                         input.shape, axis + 1, n, windows, extra.value_or(std::vector<int64_t>()))
                   : slide(input.shape, axis + 1, n, windows);
    const Dim out = !transposed ? weight.shape.at(0)
                    : groups    ? weight.shape.at(1).times(Dim::constant(*groups))
                                : Dim::top();
    shape = checked(machine, call, slid, operand_span(call, 0, "input"))
                .with(static_cast<int64_t>(axis), out);
  }
  return result(machine, call, input, shape, Interval::reals());
}

Ref pool(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const size_t n = spatial_rank(call);
  const auto kernel = machine.to_ints(option(call, {"kernel_size"}), n);
  const auto windows = kernel ? read_windows(machine, call, *kernel) : std::nullopt;
  Shape shape = Shape::top();
  if (windows && std::ranges::any_of(*windows, [](const Window& window) {
        return window.before * 2 > window.kernel;
      })) {
    machine.problem(ProblemKind::bad_argument,
                    call.span,
                    format("`{}` with padding of more than half the kernel", short_name(call)),
                    &call);
  } else if (input.shape.has_rank() && fits_spatially(machine, call, input)) {
    shape = checked(machine,
                    call,
                    slide(input.shape, channel_axis(input, n) + 1, n, windows),
                    operand_span(call, 0, "input"));
  }
  Tensor* made = moved(machine, call, input, shape);
  made->contiguous = Truth::yes;
  if (is_true(machine, call, "return_indices")) {
    Tensor* places = result(machine, call, input, shape);
    places->dtype = DType::Kind::int64;
    return machine.tuple({made, places});
  }
  return made;
}

static Ref unpool(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const size_t n = spatial_rank(call);
  const auto kernel = machine.to_ints(option(call, {"kernel_size"}), n);
  const Ref size = operand_value(call, 2, "output_size");
  const auto windows = kernel && (size == nullptr || machine.is_none(size))
                           ? read_windows(machine, call, *kernel)
                           : std::nullopt;
  Shape shape = Shape::top();
  if (input.shape.has_rank() && fits_spatially(machine, call, input)) {
    shape = slide_transposed(input.shape, channel_axis(input, n) + 1, n, windows, {}).shape;
  }
  return moved(machine, call, input, shape);
}

Ref adaptive_pool(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const size_t n = spatial_rank(call);
  Shape shape = Shape::top();
  if (input.shape.has_rank() && fits_spatially(machine, call, input)) {
    shape = input.shape;
    const Ref wanted = option(call, {"output_size"});
    const auto* several = as<Sequence>(wanted);
    for (size_t i = 0; i < n; ++i) {
      const auto axis = static_cast<int64_t>(channel_axis(input, n) + 1 + i);
      const Ref one = several == nullptr          ? wanted
                      : i < several->items.size() ? several->items[i]
                                                  : nullptr;
      if (!machine.is_none(one)) {
        shape = shape.with(axis, machine.to_dim(one));
      }
    }
  }
  Tensor* made = moved(machine, call, input, shape);
  made->contiguous = Truth::yes;
  return made;
}

// (left, right, top, bottom, …): pairs from the last axis on.
Ref pad(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Ref amount = option(call, {"padding", "pad"});
  std::optional<std::vector<int64_t>> numbers;
  if (const auto one = machine.to_int(amount); one && call.api->number > 0) {
    numbers = std::vector<int64_t>(2 * spatial_rank(call), *one);
  } else if (const auto* list = as<Sequence>(amount); list != nullptr && !list->open) {
    numbers = machine.to_ints(amount, list->items.size());
  }
  Shape shape = Shape::top();
  if (numbers && numbers->size() % 2 == 0 && input.shape.has_rank()) {
    const size_t axes = numbers->size() / 2;
    if (axes > *input.shape.rank()) {
      check_rank(machine, call, input, {axes});
    } else {
      std::vector<std::pair<int64_t, int64_t>> amounts(axes);
      for (size_t i = 0; i < axes; ++i) {
        amounts[axes - 1 - i] = {(*numbers)[2 * i], (*numbers)[2 * i + 1]};
      }
      const size_t first = *input.shape.rank() - axes;
      shape = checked(machine, call, padded(input.shape, first, amounts), call.span);
      const bool reflects = short_name(call).starts_with("Reflection") ||
                            machine.to_string(option(call, {"mode"})) == "reflect";
      for (size_t i = 0; i < axes && reflects; ++i) {
        const auto size = input.shape.dims()[first + i].constant();
        if (size && std::max(amounts[i].first, amounts[i].second) >= *size) {
          machine.problem(
              ProblemKind::bad_argument,
              call.span,
              format("a reflection of {} needs more than {} elements along axis {} of {}",
                     std::max(amounts[i].first, amounts[i].second),
                     *size,
                     first + i,
                     input.shape.text()),
              &call);
        }
      }
    }
  } else if (input.shape.has_rank()) {
    shape = Shape::of_rank(*input.shape.rank());
  }
  Tensor* made = moved(machine, call, input, shape);
  if (call.is("pad") && !short_name(call).starts_with("Re")) {
    made->interval.join(Interval::point(machine.to_double(option(call, {"value"})).value_or(0)));
  }
  return made;
}

Ref upsample(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  if (!input.shape.has_rank() || *input.shape.rank() < 3) {
    return moved(machine, call, input, input.shape);
  }
  const size_t n = *input.shape.rank() - 2;
  const Ref size = option(call, {"size"});
  Shape shape = slide(input.shape, 2, n, std::nullopt).shape;
  if (size != nullptr && !machine.is_none(size)) {
    const auto dims = machine.to_dims(size);
    for (size_t i = 0; i < n && dims && !dims->empty(); ++i) {
      shape =
          shape.with(static_cast<int64_t>(i) + 2, dims->size() == n ? (*dims)[i] : dims->front());
    }
    return moved(machine, call, input, shape);
  }
  const Ref scale = option(call, {"scale_factor"});
  std::vector<double> factors;
  if (const auto one = machine.to_double(scale)) {
    factors.assign(n, *one);
  } else {
    for (const Ref item : machine.items_of(scale)) {
      if (const auto factor = machine.to_double(item)) {
        factors.push_back(*factor);
      }
    }
  }
  if (factors.size() == n) {
    shape = upsampled(input.shape, 2, factors);
  }
  return moved(machine, call, input, shape);
}

Ref pixel_shuffle(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const bool back = short_name(call) == "PixelUnshuffle" || short_name(call) == "pixel_unshuffle";
  const auto factor = int_option(machine, call, {"upscale_factor", "downscale_factor"});
  if (!factor || *factor <= 0 || !input.shape.has_rank() || *input.shape.rank() < 3) {
    return moved(machine, call, input, Shape::top());
  }
  const auto split = [&](int64_t axis, int64_t by) -> std::optional<Dim> {
    const auto size = input.shape.at(axis).constant();
    if (size && *size % by != 0) {
      machine.problem(ProblemKind::groups,
                      operand_span(call, 0, "input"),
                      format("axis {} of {} is not divisible by {}", axis, input.shape.text(), by),
                      &call);
      return std::nullopt;
    }
    return input.shape.at(axis).floor_div(by);
  };
  const int64_t area = *factor * *factor;
  Shape shape = input.shape;
  const auto channels = back ? input.shape.at(-3).times(Dim::constant(area)) : split(-3, area);
  if (!channels) {
    return moved(machine, call, input, Shape::top());
  }
  shape = shape.with(-3, *channels);
  for (const int64_t axis : {-2, -1}) {
    const auto size = back ? split(axis, *factor)
                           : std::optional(input.shape.at(axis).times(Dim::constant(*factor)));
    shape = size ? shape.with(axis, *size) : Shape::top();
  }
  return moved(machine, call, input, shape);
}

// (N, C, H, W) → (N, C * kh * kw, L)
Ref unfold(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto kernel = machine.to_ints(option(call, {"kernel_size"}), 2);
  const auto windows = kernel ? read_windows(machine, call, *kernel) : std::nullopt;
  if (!windows || input.shape.rank() != 4) {
    return moved(machine, call, input, Shape::of_rank(3));
  }
  const Shape slid = checked(machine, call, slide(input.shape, 2, 2, windows), call.span);
  return moved(machine,
               call,
               input,
               Shape::of({input.shape.at(0),
                          input.shape.at(1).times(Dim::constant((*kernel)[0] * (*kernel)[1])),
                          slid.at(2).times(slid.at(3))}));
}

Ref fold(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto kernel = machine.to_ints(option(call, {"kernel_size"}), 2);
  const auto size = machine.to_ints(option(call, {"output_size"}), 2);
  if (!kernel || !size || input.shape.rank() != 3) {
    return moved(machine, call, input, Shape::of_rank(4));
  }
  return moved(machine,
               call,
               input,
               Shape::of({input.shape.at(0),
                          input.shape.at(1).floor_div((*kernel)[0] * (*kernel)[1]),
                          Dim::constant((*size)[0]),
                          Dim::constant((*size)[1])}));
}

static Ref grid_sample(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Tensor& grid = as_tensor(machine, operand_value(call, 1, "grid"));
  Shape shape = Shape::top();
  if (input.shape.rank() == 4) {
    shape = input.shape.with(2, grid.shape.at(1)).with(3, grid.shape.at(2));
  }
  return moved(machine, call, input, shape);
}

static Ref affine_grid(Machine& machine, Call& call)
{
  const auto size = machine.to_dims(option(call, {"size"}));
  Shape shape = Shape::top();
  if (size && size->size() == 4) {
    shape = Shape::of({(*size)[0], (*size)[2], (*size)[3], Dim::constant(2)});
  }
  return result(machine, call, input_of(machine, call), shape);
}

} // namespace torch

std::span<const Api> torch_windows()
{
  using namespace torch;
  constexpr Role l = Role::layer;
  constexpr Role f = Role::function;
  constexpr uint32_t k_conv = k_learning | k_convolution;
  constexpr uint32_t k_up = k_conv | k_transposed;
  constexpr uint32_t k_pool = k_pooling;
#define FL_CONV                                                                                    \
  "in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, " \
  "padding_mode='zeros', device=None, dtype=None"
#define FL_LAZY                                                                                    \
  "out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, "              \
  "padding_mode='zeros', device=None, dtype=None"
#define FL_TRANSPOSED                                                                              \
  "in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, "      \
  "bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None"
#define FL_F_CONV "input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1"
#define FL_F_UP                                                                                    \
  "input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1"
#define FL_MAX                                                                                     \
  "kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False"
#define FL_F_MAX                                                                                   \
  "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False"
#define FL_AVG                                                                                     \
  "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, "                 \
  "divisor_override=None"
  static constexpr Api k_rows[] = {
      {"torch.nn.Conv1d", FL_CONV, l, "conv", k_conv, convolution, {}, 1},
      {"torch.nn.Conv2d", FL_CONV, l, "conv", k_conv, convolution, {}, 2},
      {"torch.nn.Conv3d", FL_CONV, l, "conv", k_conv, convolution, {}, 3},
      {"torch.nn.LazyConv1d", FL_LAZY, l, "conv", k_conv, convolution, {}, 1},
      {"torch.nn.LazyConv2d", FL_LAZY, l, "conv", k_conv, convolution, {}, 2},
      {"torch.nn.LazyConv3d", FL_LAZY, l, "conv", k_conv, convolution, {}, 3},
      {"torch.nn.ConvTranspose1d", FL_TRANSPOSED, l, "conv", k_up, convolution, {}, 1},
      {"torch.nn.ConvTranspose2d", FL_TRANSPOSED, l, "conv", k_up, convolution, {}, 2},
      {"torch.nn.ConvTranspose3d", FL_TRANSPOSED, l, "conv", k_up, convolution, {}, 3},
      {"torch.nn.functional.conv1d", FL_F_CONV, f, "conv", k_conv, convolution_function, {}, 1},
      {"torch.nn.functional.conv2d", FL_F_CONV, f, "conv", k_conv, convolution_function, {}, 2},
      {"torch.nn.functional.conv3d", FL_F_CONV, f, "conv", k_conv, convolution_function, {}, 3},
      {"torch.conv1d", FL_F_CONV, f, "conv", k_conv, convolution_function, {}, 1},
      {"torch.conv2d", FL_F_CONV, f, "conv", k_conv, convolution_function, {}, 2},
      {"torch.nn.functional.conv_transpose1d",
       FL_F_UP,
       f,
       "conv",
       k_up,
       convolution_function,
       {},
       1},
      {"torch.nn.functional.conv_transpose2d",
       FL_F_UP,
       f,
       "conv",
       k_up,
       convolution_function,
       {},
       2},
      {"torch.nn.functional.conv_transpose3d",
       FL_F_UP,
       f,
       "conv",
       k_up,
       convolution_function,
       {},
       3},
      {"torch.nn.MaxPool1d", FL_MAX, l, "max_pool", k_pool, pool, {}, 1},
      {"torch.nn.MaxPool2d", FL_MAX, l, "max_pool", k_pool, pool, {}, 2},
      {"torch.nn.MaxPool3d", FL_MAX, l, "max_pool", k_pool, pool, {}, 3},
      {"torch.nn.AvgPool1d", FL_AVG, l, "avg_pool", k_pool, pool, {}, 1},
      {"torch.nn.AvgPool2d", FL_AVG, l, "avg_pool", k_pool, pool, {}, 2},
      {"torch.nn.AvgPool3d", FL_AVG, l, "avg_pool", k_pool, pool, {}, 3},
      {"torch.nn.LPPool1d", "norm_type, " FL_AVG, l, "avg_pool", k_pool, pool, {}, 1},
      {"torch.nn.LPPool2d", "norm_type, " FL_AVG, l, "avg_pool", k_pool, pool, {}, 2},
      {"torch.nn.FractionalMaxPool2d",
       "kernel_size, output_size=None, output_ratio=None",
       l,
       "max_pool",
       k_pool,
       adaptive_pool,
       {},
       2},
      {"torch.nn.functional.max_pool1d", FL_F_MAX, f, "max_pool", k_pool, pool, {}, 1},
      {"torch.nn.functional.max_pool2d", FL_F_MAX, f, "max_pool", k_pool, pool, {}, 2},
      {"torch.nn.functional.max_pool3d", FL_F_MAX, f, "max_pool", k_pool, pool, {}, 3},
      {"torch.max_pool2d", FL_F_MAX, f, "max_pool", k_pool, pool, {}, 2},
      {"torch.nn.functional.avg_pool1d", "input, " FL_AVG, f, "avg_pool", k_pool, pool, {}, 1},
      {"torch.nn.functional.avg_pool2d", "input, " FL_AVG, f, "avg_pool", k_pool, pool, {}, 2},
      {"torch.nn.functional.avg_pool3d", "input, " FL_AVG, f, "avg_pool", k_pool, pool, {}, 3},
      {"torch.nn.functional.lp_pool2d",
       "input, norm_type, " FL_AVG,
       f,
       "avg_pool",
       k_pool,
       pool,
       {},
       2},
      {"torch.nn.MaxUnpool1d",
       "kernel_size, stride=None, padding=0",
       l,
       "unpool",
       0,
       unpool,
       {},
       1},
      {"torch.nn.MaxUnpool2d",
       "kernel_size, stride=None, padding=0",
       l,
       "unpool",
       0,
       unpool,
       {},
       2},
      {"torch.nn.MaxUnpool3d",
       "kernel_size, stride=None, padding=0",
       l,
       "unpool",
       0,
       unpool,
       {},
       3},
      {"torch.nn.functional.max_unpool2d",
       "input, indices, kernel_size, stride=None, padding=0, output_size=None",
       f,
       "unpool",
       0,
       unpool,
       {},
       2},
      {"torch.nn.AdaptiveMaxPool1d",
       "output_size, return_indices=False",
       l,
       "adaptive_max_pool",
       k_pool,
       adaptive_pool,
       {},
       1},
      {"torch.nn.AdaptiveMaxPool2d",
       "output_size, return_indices=False",
       l,
       "adaptive_max_pool",
       k_pool,
       adaptive_pool,
       {},
       2},
      {"torch.nn.AdaptiveMaxPool3d",
       "output_size, return_indices=False",
       l,
       "adaptive_max_pool",
       k_pool,
       adaptive_pool,
       {},
       3},
      {"torch.nn.AdaptiveAvgPool1d",
       "output_size",
       l,
       "adaptive_avg_pool",
       k_pool,
       adaptive_pool,
       {},
       1},
      {"torch.nn.AdaptiveAvgPool2d",
       "output_size",
       l,
       "adaptive_avg_pool",
       k_pool,
       adaptive_pool,
       {},
       2},
      {"torch.nn.AdaptiveAvgPool3d",
       "output_size",
       l,
       "adaptive_avg_pool",
       k_pool,
       adaptive_pool,
       {},
       3},
      {"torch.nn.functional.adaptive_max_pool1d",
       "input, output_size, return_indices=False",
       f,
       "adaptive_max_pool",
       k_pool,
       adaptive_pool,
       {},
       1},
      {"torch.nn.functional.adaptive_max_pool2d",
       "input, output_size, return_indices=False",
       f,
       "adaptive_max_pool",
       k_pool,
       adaptive_pool,
       {},
       2},
      {"torch.nn.functional.adaptive_avg_pool1d",
       "input, output_size",
       f,
       "adaptive_avg_pool",
       k_pool,
       adaptive_pool,
       {},
       1},
      {"torch.nn.functional.adaptive_avg_pool2d",
       "input, output_size",
       f,
       "adaptive_avg_pool",
       k_pool,
       adaptive_pool,
       {},
       2},
      {"torch.nn.functional.adaptive_avg_pool3d",
       "input, output_size",
       f,
       "adaptive_avg_pool",
       k_pool,
       adaptive_pool,
       {},
       3},
      {"torch.nn.ReflectionPad1d", "padding", l, "pad", 0, pad, {}, 1},
      {"torch.nn.ReflectionPad2d", "padding", l, "pad", 0, pad, {}, 2},
      {"torch.nn.ReflectionPad3d", "padding", l, "pad", 0, pad, {}, 3},
      {"torch.nn.ReplicationPad1d", "padding", l, "pad", 0, pad, {}, 1},
      {"torch.nn.ReplicationPad2d", "padding", l, "pad", 0, pad, {}, 2},
      {"torch.nn.ReplicationPad3d", "padding", l, "pad", 0, pad, {}, 3},
      {"torch.nn.CircularPad1d", "padding", l, "pad", 0, pad, {}, 1},
      {"torch.nn.CircularPad2d", "padding", l, "pad", 0, pad, {}, 2},
      {"torch.nn.ZeroPad1d", "padding", l, "pad", 0, pad, {}, 1},
      {"torch.nn.ZeroPad2d", "padding", l, "pad", 0, pad, {}, 2},
      {"torch.nn.ZeroPad3d", "padding", l, "pad", 0, pad, {}, 3},
      {"torch.nn.ConstantPad1d", "padding, value", l, "pad", 0, pad, {}, 1},
      {"torch.nn.ConstantPad2d", "padding, value", l, "pad", 0, pad, {}, 2},
      {"torch.nn.ConstantPad3d", "padding, value", l, "pad", 0, pad, {}, 3},
      {"torch.nn.functional.pad", "input, pad, mode='constant', value=0", f, "pad", 0, pad},
      {"torch.nn.Upsample",
       "size=None, scale_factor=None, mode='nearest', align_corners=None, "
       "recompute_scale_factor=None",
       l,
       "upsample",
       0,
       upsample},
      {"torch.nn.UpsamplingNearest2d", "size=None, scale_factor=None", l, "upsample", 0, upsample},
      {"torch.nn.UpsamplingBilinear2d", "size=None, scale_factor=None", l, "upsample", 0, upsample},
      {"torch.nn.functional.interpolate",
       "input, size=None, scale_factor=None, mode='nearest', align_corners=None, "
       "recompute_scale_factor=None, antialias=False",
       f,
       "upsample",
       0,
       upsample},
      {"torch.nn.PixelShuffle", "upscale_factor", l, "pixel_shuffle", k_reshaping, pixel_shuffle},
      {"torch.nn.PixelUnshuffle",
       "downscale_factor",
       l,
       "pixel_shuffle",
       k_reshaping,
       pixel_shuffle},
      {"torch.pixel_shuffle",
       "input, upscale_factor",
       f,
       "pixel_shuffle",
       k_reshaping,
       pixel_shuffle},
      {"torch.nn.functional.pixel_shuffle",
       "input, upscale_factor",
       f,
       "pixel_shuffle",
       k_reshaping,
       pixel_shuffle},
      {"torch.nn.functional.pixel_unshuffle",
       "input, downscale_factor",
       f,
       "pixel_shuffle",
       k_reshaping,
       pixel_shuffle},
      {"torch.nn.Unfold",
       "kernel_size, dilation=1, padding=0, stride=1",
       l,
       {},
       k_reshaping,
       unfold},
      {"torch.nn.functional.unfold",
       "input, kernel_size, dilation=1, padding=0, stride=1",
       f,
       {},
       k_reshaping,
       unfold},
      {"torch.nn.Fold",
       "output_size, kernel_size, dilation=1, padding=0, stride=1",
       l,
       {},
       k_reshaping,
       fold},
      {"torch.nn.functional.fold",
       "input, output_size, kernel_size, dilation=1, padding=0, stride=1",
       f,
       {},
       k_reshaping,
       fold},
      {"torch.nn.functional.grid_sample",
       "input, grid, mode='bilinear', padding_mode='zeros', align_corners=None",
       f,
       {},
       0,
       grid_sample},
      {"torch.nn.functional.affine_grid", "theta, size, align_corners=None", f, {}, 0, affine_grid},
  };
#undef FL_AVG
#undef FL_F_MAX
#undef FL_MAX
#undef FL_F_UP
#undef FL_F_CONV
#undef FL_TRANSPOSED
#undef FL_LAZY
#undef FL_CONV
  return k_rows;
}

} // namespace faultline::program
