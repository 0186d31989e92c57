// Layers that prepare images, numbers and text.

#include "program/libraries/keras/keras.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"
#include "program/operations/shapes.hpp"

namespace faultline::program {

namespace {

using keras::begin;
using keras::end_plain;

Ref rescaling(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  Tensor* made = keras::moved(machine, call, *x, x->shape);
  made->dtype = DType::Kind::float32;
  made->interval = x->interval.times(machine.to_interval(call.setting_value("scale")))
                       .plus(machine.to_interval(call.setting_value("offset")));
  return end_plain(machine, call, made);
}

Ref normalization(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  Tensor* made = keras::moved(machine, call, *x, x->shape);
  made->dtype = DType::Kind::float32;
  made->interval = Interval::top();
  return end_plain(machine, call, made);
}

// Images, with or without a batch, of a new height and width.
Ref sized(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const Dim height = machine.to_dim(call.setting_value("height"));
  const Dim width = machine.to_dim(call.setting_value("width"));
  Shape shape = x->shape;
  if (shape.rank() >= 3) {
    const bool first = keras::channels_first(machine, call);
    shape = shape.with(first ? -2 : -3, height).with(first ? -1 : -2, width);
  }
  return end_plain(machine, call, keras::moved(machine, call, *x, shape));
}

Ref augmentation(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  Tensor* made = keras::moved(machine, call, *x, x->shape);
  if (!call.is("flip")) {
    made->interval = x->interval.is_known() && x->interval.low() >= 0
                         ? Interval::of(0, x->interval.high())
                         : Interval::top();
  }
  return end_plain(machine, call, made);
}

// One vector for each sample: which of the categories it holds.
Ref encoded(Machine& machine, Call& call, const Tensor& x, Dim depth, std::string_view mode)
{
  Tensor* made = machine.tensor(
      call,
      Shape::of({x.shape.at(0), depth}),
      DType::Kind::float32,
      Interval::of(0, mode == "multi_hot" || mode == "one_hot" ? 1 : Interval::k_inf));
  made->library = Library::keras;
  made->encoding = mode == "one_hot" ? Encoding::one_hot : Encoding::multi_hot;
  return end_plain(machine, call, made);
}

Ref category_encoding(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const std::string_view mode = machine.to_string(call.setting_value("output_mode")).value_or("");
  return encoded(machine, call, *x, machine.to_dim(call.setting_value("num_tokens")), mode);
}

Ref lookup(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const std::string_view mode = machine.to_string(call.setting_value("output_mode")).value_or("");
  const Dim most = machine.to_dim(call.setting_value("max_tokens"));
  if (mode != "int") {
    return encoded(machine, call, *x, most, mode);
  }
  Tensor* made =
      machine.tensor(call, x->shape, DType::Kind::int64, Interval::of(0, Interval::k_inf));
  made->library = Library::keras;
  made->encoding = Encoding::token;
  return end_plain(machine, call, made);
}

Ref text_vectorization(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const auto mode = machine.to_string(call.setting_value("output_mode"));
  const auto most = machine.to_int(call.setting_value("max_tokens"));
  if (mode != "int") {
    return encoded(machine, call, *x, most ? Dim::constant(*most) : Dim::top(), mode.value_or(""));
  }
  const Dim length = machine.to_dim(call.setting_value("output_sequence_length"));
  Tensor* made = machine.tensor(
      call,
      x->shape.rank() == 0 ? Shape::of({length}) : Shape::of({x->shape.at(0), length}),
      DType::Kind::int64,
      Interval::of(0, most ? static_cast<double>(*most - 1) : Interval::k_inf));
  made->library = Library::keras;
  made->encoding = Encoding::token;
  return end_plain(machine, call, made);
}

Ref buckets(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const Ref count = call.setting_value("num_bins");
  const auto most = count != nullptr ? machine.to_int(count) : std::nullopt;
  Tensor* made =
      machine.tensor(call,
                     x->shape,
                     DType::Kind::int64,
                     Interval::of(0, most ? static_cast<double>(*most - 1) : Interval::k_inf));
  made->library = Library::keras;
  return end_plain(machine, call, made);
}

constexpr std::string_view k_lookup =
    "max_tokens=None, num_oov_indices=1, mask_token=None, oov_token=None, vocabulary=None, "
    "output_mode='int', **kwargs";
constexpr uint32_t k_random_image = k_elementwise | k_random | k_mode_dependent;

constexpr Api augment(std::string_view name, std::string_view op, std::string_view signature)
{
  return {name, signature, Role::layer, op, k_random_image, augmentation};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"keras.layers.Rescaling", "scale, offset=0.0, **kwargs", Role::layer, "rescaling", k_elementwise, rescaling},
    {"keras.layers.Normalization", "axis=-1, mean=None, variance=None, invert=False, **kwargs", Role::layer, "rescaling", k_elementwise, normalization},
    {"keras.layers.Resizing", "height, width, interpolation='bilinear', crop_to_aspect_ratio=False, data_format=None, **kwargs", Role::layer, "resize", k_reshaping, sized},
    {"keras.layers.CenterCrop", "height, width, data_format=None, **kwargs", Role::layer, "crop", k_reshaping, sized},
    {"keras.layers.RandomCrop", "height, width, seed=None, data_format=None, **kwargs", Role::layer, "crop", k_reshaping | k_random, sized},
    augment("keras.layers.RandomFlip", "flip", "mode='horizontal_and_vertical', seed=None, **kwargs"),
    augment("keras.layers.RandomRotation", "augment", "factor, fill_mode='reflect', interpolation='bilinear', seed=None, **kwargs"),
    augment("keras.layers.RandomZoom", "augment", "height_factor, width_factor=None, fill_mode='reflect', **kwargs"),
    augment("keras.layers.RandomTranslation", "augment", "height_factor, width_factor, fill_mode='reflect', **kwargs"),
    augment("keras.layers.RandomContrast", "augment", "factor, seed=None, **kwargs"),
    augment("keras.layers.RandomBrightness", "augment", "factor, value_range=(0, 255), seed=None, **kwargs"),
    augment("keras.layers.RandomHeight", "augment", "factor, **kwargs"),
    augment("keras.layers.RandomWidth", "augment", "factor, **kwargs"),
    augment("keras.layers.RandomErasing", "augment", "factor=1.0, **kwargs"),
    augment("keras.layers.RandAugment", "augment", "value_range=(0, 255), **kwargs"),
    {"keras.layers.CategoryEncoding", "num_tokens=None, output_mode='multi_hot', **kwargs", Role::layer, "category_encoding", 0, category_encoding},
    {"keras.layers.StringLookup", k_lookup, Role::layer, "string_lookup", 0, lookup},
    {"keras.layers.IntegerLookup", k_lookup, Role::layer, "integer_lookup", 0, lookup},
    {"keras.layers.TextVectorization", "max_tokens=None, standardize='lower_and_strip_punctuation', split='whitespace', ngrams=None, output_mode='int', output_sequence_length=None, pad_to_max_tokens=False, vocabulary=None, **kwargs", Role::layer, "text_vectorization", 0, text_vectorization},
    {"keras.layers.Discretization", "bin_boundaries=None, num_bins=None, epsilon=0.01, **kwargs", Role::layer, "bucketize", k_elementwise, buckets},
    {"keras.layers.Hashing", "num_bins, mask_value=None, salt=None, **kwargs", Role::layer, "hashing", k_elementwise, buckets},
};
// clang-format on

} // namespace

std::span<const Api> keras_layers_preprocessing()
{
  return k_rows;
}

} // namespace faultline::program
