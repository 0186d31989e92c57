// tf.image and the decoding of images. Images are (height, width, channels), with or without a
// batch.

#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

using tf::argument;
using tf::operand;
using tf::result;

Ref decode(Machine& machine, Call& call)
{
  const Ref wanted = call.arg("channels");
  const auto channels = wanted != nullptr ? machine.to_int(wanted) : std::nullopt;
  const Dim depth = channels && *channels > 0 ? Dim::constant(*channels) : Dim::top();
  const Ref type = call.arg("dtype");
  const DType dtype =
      type != nullptr ? tf::to_dtype(machine, type).value_or(DType()) : DType(DType::Kind::uint8);
  // decode_image also reads animations, so that not even the rank is known.
  const bool any_rank =
      call.is("decode_image") && machine.truthiness(call.arg("expand_animations")).value_or(true);
  const Shape shape = any_rank ? Shape::top() : Shape::of({Dim::top(), Dim::top(), depth});
  Tensor* made =
      result(machine,
             call,
             shape,
             dtype,
             dtype == DType(DType::Kind::uint8) ? Interval::of(0, 255) : Interval::top());
  made->encoding = Encoding::image;
  made->requires_grad = Truth::no;
  return made;
}

Tensor* of_size(Machine& machine, Call& call, const Tensor& image, Dim height, Dim width)
{
  Shape shape = image.shape;
  shape = shape.rank() >= 3 ? shape.with(-3, height).with(-2, width) : Shape::top();
  return tf::moved(machine, call, image, shape);
}

// resize(images, size), or resize_images(images, new_height, new_width) of old.
Ref resize(Machine& machine, Call& call)
{
  const Tensor* image = operand(machine, argument(call, 0));
  const Ref size = tf::option(call, {"size", "new_height"});
  const auto dims = size != nullptr ? machine.to_dims(size) : std::nullopt;
  Dim height = Dim::top();
  Dim width = Dim::top();
  if (dims && dims->size() == 2) {
    height = (*dims)[0];
    width = (*dims)[1];
  } else if (dims && dims->size() == 1) {
    height = dims->front();
    width = machine.to_dim(tf::option(call, {"method", "new_width"}));
  }
  Tensor* made = of_size(machine, call, *image, height, width);
  made->dtype = DType::Kind::float32;
  return made;
}

Ref to_size(Machine& machine, Call& call)
{
  const Tensor* image = operand(machine, argument(call, 0));
  return of_size(machine,
                 call,
                 *image,
                 machine.to_dim(tf::option(call, {"target_height"})),
                 machine.to_dim(tf::option(call, {"target_width"})));
}

Ref with_channels(Machine& machine, Call& call, int64_t channels)
{
  const Tensor* image = operand(machine, argument(call, 0));
  return tf::moved(machine, call, *image, image->shape.with(-1, Dim::constant(channels)));
}

Ref to_gray(Machine& machine, Call& call)
{
  return with_channels(machine, call, 1);
}

Ref to_colour(Machine& machine, Call& call)
{
  return with_channels(machine, call, 3);
}

// Integers become floats in [0, 1].
Ref convert_dtype(Machine& machine, Call& call)
{
  const Tensor* image = operand(machine, argument(call, 0));
  const DType dtype = tf::to_dtype(machine, argument(call, 1)).value_or(DType());
  Tensor* made = tf::moved(machine, call, *image, image->shape);
  made->dtype = dtype;
  if (dtype.is_floating() && image->dtype == DType(DType::Kind::uint8)) {
    made->interval = image->interval.over(Interval::point(255));
  } else if (dtype.is_floating() != image->dtype.is_floating() || image->dtype.is_unknown()) {
    made->interval = Interval::top();
  }
  return made;
}

Ref standardise(Machine& machine, Call& call)
{
  const Tensor* image = operand(machine, argument(call, 0));
  Tensor* made = tf::moved(machine, call, *image, image->shape);
  made->dtype = DType::Kind::float32;
  made->interval = Interval::top();
  return made;
}

Ref random_crop(Machine& machine, Call& call)
{
  const Tensor* image = operand(machine, argument(call, 0));
  return tf::moved(machine, call, *image, tf::shape_of(machine, call.arg("size")));
}

// The values change, the shape does not.
Ref adjust(Machine& machine, Call& call)
{
  const Tensor* image = operand(machine, argument(call, 0));
  Tensor* made = tf::moved(machine, call, *image, image->shape);
  made->interval = Interval::top();
  return made;
}

Ref crop_and_resize(Machine& machine, Call& call)
{
  const Tensor* image = operand(machine, argument(call, 0));
  const Tensor* boxes = operand(machine, call.arg("boxes"));
  const auto size = machine.to_dims(call.arg("crop_size"));
  const bool known = size && size->size() == 2;
  return result(machine,
                call,
                Shape::of({boxes->shape.at(0),
                           known ? (*size)[0] : Dim::top(),
                           known ? (*size)[1] : Dim::top(),
                           image->shape.at(-1)}),
                DType::Kind::float32,
                image->interval);
}

constexpr Api row(std::string_view name,
                  std::string_view signature,
                  std::string_view op,
                  Transfer transfer,
                  uint32_t traits = 0)
{
  return {name, signature, Role::function, op, traits, transfer};
}
constexpr uint32_t k_draws = k_random | k_elementwise;

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    row("tensorflow.image.decode_jpeg", "contents, channels=0, ratio=1, **kwargs", "decode_jpeg", decode),
    row("tensorflow.image.decode_png", "contents, channels=0, dtype='uint8', name=None", "decode_png", decode),
    row("tensorflow.image.decode_bmp", "contents, channels=0, name=None", "decode_bmp", decode),
    row("tensorflow.image.decode_and_crop_jpeg", "contents, crop_window, channels=0, **kwargs", "decode_jpeg", decode),
    row("tensorflow.image.decode_image", "contents, channels=None, dtype='uint8', name=None, expand_animations=True", "decode_image", decode),
    row("tensorflow.image.decode_gif", "contents, name=None", "decode_gif", nullptr),
    row("tensorflow.image.encode_jpeg", "image, **kwargs", "encode", tf::text),
    row("tensorflow.image.encode_png", "image, **kwargs", "encode", tf::text),
    row("tensorflow.image.resize", "images, size, method='bilinear', preserve_aspect_ratio=False, antialias=False, name=None", "resize", resize),
    row("tensorflow.image.resize_images", "images, size=None, method=0, align_corners=False, preserve_aspect_ratio=False, name=None, new_height=None, new_width=None", "resize", resize),
    row("tensorflow.image.resize_bilinear", "images, size, align_corners=False, name=None", "resize", resize),
    row("tensorflow.image.resize_nearest_neighbor", "images, size, align_corners=False, name=None", "resize", resize),
    row("tensorflow.image.resize_bicubic", "images, size, align_corners=False, name=None", "resize", resize),
    row("tensorflow.image.resize_area", "images, size, align_corners=False, name=None", "resize", resize),
    row("tensorflow.image.resize_with_pad", "image, target_height, target_width, method='bilinear', antialias=False", "resize", to_size),
    row("tensorflow.image.resize_image_with_pad", "image, target_height, target_width, **kwargs", "resize", to_size),
    row("tensorflow.image.resize_with_crop_or_pad", "image, target_height, target_width", "resize", to_size),
    row("tensorflow.image.resize_image_with_crop_or_pad", "image, target_height, target_width", "resize", to_size),
    row("tensorflow.image.crop_to_bounding_box", "image, offset_height, offset_width, target_height, target_width", "crop", to_size),
    row("tensorflow.image.pad_to_bounding_box", "image, offset_height, offset_width, target_height, target_width", "pad", to_size),
    row("tensorflow.image.central_crop", "image, central_fraction", "crop", nullptr),
    row("tensorflow.image.random_crop", "value, size, seed=None, name=None", "crop", random_crop, k_random),
    row("tensorflow.image.stateless_random_crop", "value, size, seed, name=None", "crop", random_crop, k_random),
    row("tensorflow.image.crop_and_resize", "image, boxes, box_indices=None, crop_size=None, **kwargs", "crop", crop_and_resize),
    row("tensorflow.image.extract_patches", "images, sizes, strides, rates, padding, name=None", "unfold", nullptr),
    row("tensorflow.image.rgb_to_grayscale", "images, name=None", "grayscale", to_gray),
    row("tensorflow.image.grayscale_to_rgb", "images, name=None", "colour", to_colour),
    row("tensorflow.image.rgb_to_hsv", "images, name=None", "colour", adjust, k_elementwise),
    row("tensorflow.image.hsv_to_rgb", "images, name=None", "colour", adjust, k_elementwise),
    row("tensorflow.image.rgb_to_yuv", "images", "colour", adjust, k_elementwise),
    row("tensorflow.image.convert_image_dtype", "image, dtype, saturate=False, name=None", "rescaling", convert_dtype, k_elementwise),
    row("tensorflow.image.per_image_standardization", "image", "standardize", standardise, k_elementwise),
    row("tensorflow.image.per_image_whitening", "image", "standardize", standardise, k_elementwise),
    row("tensorflow.image.flip_left_right", "image", "flip", tf::same, k_reshaping),
    row("tensorflow.image.flip_up_down", "image", "flip", tf::same, k_reshaping),
    row("tensorflow.image.random_flip_left_right", "image, seed=None", "flip", tf::same, k_reshaping | k_random),
    row("tensorflow.image.random_flip_up_down", "image, seed=None", "flip", tf::same, k_reshaping | k_random),
    row("tensorflow.image.stateless_random_flip_left_right", "image, seed", "flip", tf::same, k_reshaping | k_random),
    row("tensorflow.image.rot90", "image, k=1, name=None", "rot90", nullptr),
    row("tensorflow.image.transpose_image", "image", "permute", nullptr),
    row("tensorflow.image.adjust_brightness", "image, delta", "augment", adjust, k_elementwise),
    row("tensorflow.image.adjust_contrast", "images, contrast_factor", "augment", adjust, k_elementwise),
    row("tensorflow.image.adjust_saturation", "image, saturation_factor, name=None", "augment", adjust, k_elementwise),
    row("tensorflow.image.adjust_hue", "image, delta, name=None", "augment", adjust, k_elementwise),
    row("tensorflow.image.adjust_gamma", "image, gamma=1, gain=1", "augment", adjust, k_elementwise),
    row("tensorflow.image.random_brightness", "image, max_delta, seed=None", "augment", adjust, k_draws),
    row("tensorflow.image.random_contrast", "image, lower, upper, seed=None", "augment", adjust, k_draws),
    row("tensorflow.image.random_saturation", "image, lower, upper, seed=None", "augment", adjust, k_draws),
    row("tensorflow.image.random_hue", "image, max_delta, seed=None", "augment", adjust, k_draws),
    row("tensorflow.image.stateless_random_brightness", "image, max_delta, seed", "augment", adjust, k_draws),
    row("tensorflow.image.ssim", "img1, img2, max_val, **kwargs", "metric", nullptr),
    row("tensorflow.image.psnr", "a, b, max_val, name=None", "metric", nullptr),
    row("tensorflow.image.ssim_multiscale", "img1, img2, max_val, **kwargs", "metric", nullptr),
    row("tensorflow.image.total_variation", "images, name=None", "reduce_sum", nullptr),
    row("tensorflow.image.image_gradients", "image", {}, nullptr),
    row("tensorflow.image.sobel_edges", "image", {}, nullptr),
    row("tensorflow.image.draw_bounding_boxes", "images, boxes, colors=None, name=None", "identity", tf::same, k_elementwise),
    row("tensorflow.image.non_max_suppression", "boxes, scores, max_output_size, **kwargs", {}, nullptr),
};
// clang-format on

} // namespace

std::span<const Api> tf_image()
{
  return k_rows;
}

} // namespace faultline::program
