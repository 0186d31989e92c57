// Images: OpenCV, PIL, scikit-image, imageio, matplotlib's imread.

#include "program/libraries/images/images.hpp"

#include "program/names/tables.hpp"

namespace faultline::program {

static constexpr DType k_uint8 = DType::Kind::uint8;
static constexpr DType k_float64 = DType::Kind::float64;

Instance* picture(Machine& m, Call& call, Tensor* pixels)
{
  Instance* const made = object_of(m, "PIL.Image.Image", call);
  set_field(m, *made, "pixels", pixels);
  return made;
}

Sides sides_of(Machine& m, Ref image)
{
  const Tensor* const pixels = pixels_of(image);
  if (pixels != nullptr && pixels->shape.has_rank() && *pixels->shape.rank() >= 2) {
    return {pixels->shape.at(0), pixels->shape.at(1)};
  }
  const auto* object = as<Instance>(image);
  if (object == nullptr) {
    return {};
  }
  return {m.to_dim(find_attribute(*object, "rows")), m.to_dim(find_attribute(*object, "columns"))};
}

Instance* picture_of_size(Machine& m, Call& call, Ref image, const Sides& sides)
{
  const Tensor* const pixels = pixels_of(image);
  Tensor* const changed = pixels != nullptr ? resized(m, call, *pixels, sides.height, sides.width)
                                            : loaded_pixels(m, call, std::nullopt);
  Instance* const made = picture(m, call, changed);
  set_field(m, *made, "rows", m.integer(sides.height));
  set_field(m, *made, "columns", m.integer(sides.width));
  return made;
}

bool is_picture(Ref value)
{
  const auto* image = as<Instance>(value);
  return image != nullptr && image->api != nullptr && image->api->name == "PIL.Image.Image";
}

Tensor* pixels_of(Ref image)
{
  if (is_picture(image)) {
    return as<Tensor>(find_attribute(*as<Instance>(image), "pixels"));
  }
  return as<Tensor>(image);
}

Tensor* loaded_pixels(Machine& m, Call& call, std::optional<int64_t> channels)
{
  std::vector<Dim> dims = {m.fresh_symbol(), m.fresh_symbol()};
  if (channels && *channels > 0) {
    dims.push_back(Dim::constant(*channels));
  }
  Tensor* const made = array(
      m, call, channels ? Shape::of(std::move(dims)) : Shape::top(), k_uint8, Interval::of(0, 255));
  made->encoding = Encoding::image;
  return made;
}

Tensor* resized(Machine& m, Call& call, const Tensor& pixels, Dim height, Dim width)
{
  Shape shape = Shape::top();
  if (pixels.shape.has_rank() && *pixels.shape.rank() >= 2) {
    shape = pixels.shape.with(0, height).with(1, width);
  }
  return rearranged(m, call, pixels, shape);
}

Tensor* with_channels(Machine& m, Call& call, const Tensor& pixels, std::optional<int64_t> channels)
{
  Shape shape = Shape::top();
  if (channels && pixels.shape.has_rank() && *pixels.shape.rank() >= 2) {
    std::vector<Dim> dims = {pixels.shape.at(0), pixels.shape.at(1)};
    if (*channels > 0) {
      dims.push_back(Dim::constant(*channels));
    }
    shape = Shape::of(std::move(dims));
  }
  return rearranged(m, call, pixels, shape);
}

// --- OpenCV ---

static Ref cv_read(Machine& m, Call& call)
{
  const Ref flags = take(m, call, "flags");
  const std::string_view name = path_of(flags);
  const auto number = m.to_int(flags);
  if (number == 0 || name.ends_with("IMREAD_GRAYSCALE")) {
    return loaded_pixels(m, call, 0);
  }
  const bool colour = number == 1 || name.ends_with("IMREAD_COLOR");
  return loaded_pixels(m, call, colour ? std::optional<int64_t>(3) : std::nullopt);
}

static Ref cv_to_size(Machine& m, Call& call)
{
  const Tensor& image = operand(m, call, "src");
  const auto size = m.to_dims(call.arg("dsize"));
  const bool known = size && size->size() == 2;
  return resized(m, call, image, known ? (*size)[1] : Dim::top(), known ? (*size)[0] : Dim::top());
}

static Ref cv_convert(Machine& m, Call& call)
{
  const Tensor& image = operand(m, call, "src");
  std::string_view code = path_of(call.arg("code"));
  code = code.substr(code.rfind('.') + 1);
  if (code.ends_with("2GRAY")) {
    return with_channels(m, call, image, 0);
  }
  if (code.ends_with("2RGBA") || code.ends_with("2BGRA")) {
    return with_channels(m, call, image, 4);
  }
  const bool colour = code.starts_with("COLOR_");
  return with_channels(m, call, image, colour ? std::optional<int64_t>(3) : std::nullopt);
}

static Ref cv_same(Machine& m, Call& call)
{
  return array_like(m, call, operand(m, call, "src"));
}

static Ref cv_threshold(Machine& m, Call& call)
{
  return m.tuple({m.number(Interval::top()), cv_same(m, call)});
}

static Ref cv_frame(Machine& m, Call& call)
{
  return m.tuple({m.truth(), loaded_pixels(m, call, 3)});
}

static Ref cv_channels(Machine& m, Call& call)
{
  const Tensor& image = operand(m, call, "m");
  const auto plane = [&] { return with_channels(m, call, image, 0); };
  return image.shape.rank() == 3 && image.shape.at(2).is(3) ? m.list({plane(), plane(), plane()})
                                                            : m.open_list(plane());
}

// --- PIL ---

static Ref pil_open(Machine& m, Call& call)
{
  // A file may hold any mode: grey, colour, with transparency.
  return picture(m, call, loaded_pixels(m, call, std::nullopt));
}

static Tensor& own_pixels(Machine& m, Call& call)
{
  Tensor* const known = pixels_of(call.self);
  return known != nullptr ? *known : to_array(m, call.self);
}

static Ref pil_resize(Machine& m, Call& call)
{
  const auto size = m.to_dims(call.arg("size"));
  const bool known = size && size->size() == 2;
  return picture_of_size(m, call, call.self, known ? Sides{(*size)[1], (*size)[0]} : Sides{});
}

static std::optional<int64_t> channels_of_mode(const Machine& m, Ref mode)
{
  const auto name = m.to_string(mode);
  if (!name) {
    return std::nullopt;
  }
  if (*name == "L" || *name == "1" || *name == "P" || *name == "I" || *name == "F") {
    return 0;
  }
  return *name == "RGBA" || *name == "CMYK" ? 4 : *name == "LA" ? 2 : 3;
}

static Ref pil_convert(Machine& m, Call& call)
{
  const Tensor& pixels = own_pixels(m, call);
  const auto channels = channels_of_mode(m, call.arg("mode"));
  if (!pixels.shape.has_rank() && channels) {
    const Sides sides = sides_of(m, call.self);
    std::vector<Dim> dims = {sides.height.is_unknown() ? m.fresh_symbol() : sides.height,
                             sides.width.is_unknown() ? m.fresh_symbol() : sides.width};
    if (*channels > 0) {
      dims.push_back(Dim::constant(*channels));
    }
    return picture(m, call, rearranged(m, call, pixels, Shape::of(std::move(dims))));
  }
  return picture(m, call, with_channels(m, call, pixels, channels));
}

static Ref pil_crop(Machine& m, Call& call)
{
  const std::vector<Ref> box = m.items_of(call.arg("box"));
  Dim height = Dim::top();
  Dim width = Dim::top();
  if (box.size() == 4) {
    width = m.to_dim(box[2]).minus(m.to_dim(box[0]));
    height = m.to_dim(box[3]).minus(m.to_dim(box[1]));
  }
  return picture_of_size(m, call, call.self, {height, width});
}

static Ref pil_same(Machine& m, Call& call)
{
  return picture(m, call, array_like(m, call, own_pixels(m, call)));
}

static Ref pil_other_size(Machine& m, Call& call)
{
  return picture_of_size(m, call, call.self, {});
}

static Ref pil_size(Machine& m, Call& call)
{
  const Sides sides = sides_of(m, call.self);
  const auto number = [&](const Dim& dim) {
    return dim.is_unknown() ? m.number(Interval::of(1, Interval::k_inf), true) : m.integer(dim);
  };
  if (call.name.ends_with("width")) {
    return number(sides.width);
  }
  return call.name.ends_with("height") ? number(sides.height)
                                       : m.tuple({number(sides.width), number(sides.height)});
}

static Ref pil_from_array(Machine& m, Call& call)
{
  Tensor& input = operand(m, call, "obj");
  return picture(m, call, array_like(m, call, input));
}

static Ref pil_new(Machine& m, Call& call)
{
  const auto size = m.to_dims(call.arg("size"));
  const auto channels = channels_of_mode(m, call.arg("mode"));
  Tensor* const pixels = loaded_pixels(m, call, channels);
  const bool known = size && size->size() == 2 && channels;
  return picture(m, call, known ? resized(m, call, *pixels, (*size)[1], (*size)[0]) : pixels);
}

static Ref pil_pixels(Machine& m, Call& call)
{
  const Tensor& pixels = own_pixels(m, call);
  return m.open_list(pixels.shape.rank() == 2 ? m.number(pixels.interval, true) : m.unknown());
}

// --- scikit-image, imageio, matplotlib ---

static Ref read_colour(Machine& m, Call& call)
{
  const Ref grey = call.arg("as_gray");
  if (grey != nullptr && m.to_bool(grey) == true) {
    Tensor* const made = loaded_pixels(m, call, 0);
    made->dtype = k_float64;
    made->interval = Interval::of(0, 1);
    return made;
  }
  return loaded_pixels(m, call, std::nullopt);
}

// PNG files are read as floats in [0, 1], others as bytes.
static Ref plot_read(Machine& m, Call& call)
{
  const auto name = m.to_string(call.arg("fname"));
  Tensor* const made = loaded_pixels(m, call, std::nullopt);
  if (!name || name->ends_with(".png")) {
    made->dtype = name ? DType(DType::Kind::float32) : DType();
    made->interval = name ? Interval::of(0, 1) : Interval::top();
  }
  return made;
}

static Ref skimage_resize(Machine& m, Call& call)
{
  const Tensor& image = operand(m, call, "image");
  const auto size = m.to_dims(call.arg("output_shape"));
  Shape shape = Shape::top();
  if (size && image.shape.has_rank() && size->size() <= *image.shape.rank()) {
    shape = image.shape;
    for (size_t i = 0; i < size->size(); ++i) {
      shape = shape.with(static_cast<int64_t>(i), (*size)[i]);
    }
  } else if (size && size->size() >= 3) {
    shape = Shape::of(*size);
  }
  Tensor* const made = rearranged(m, call, image, shape);
  // Bytes are scaled unless asked not to; other ranges depend on what comes in.
  const bool keeps = m.to_bool(call.arg("preserve_range")) == true;
  made->dtype = k_float64;
  if (!keeps && is_dtype(image, DType::Kind::uint8)) {
    made->interval = Interval::of(0, 1);
  }
  return made;
}

static Ref skimage_grey(Machine& m, Call& call)
{
  Tensor* const made = with_channels(m, call, operand(m, call, "rgb"), 0);
  made->dtype = k_float64;
  made->interval = Interval::of(0, 1);
  return made;
}

static Ref skimage_float(Machine& m, Call& call)
{
  const Tensor& image = operand(m, call, "image");
  Tensor* const made = array_like(m, call, image);
  made->dtype = k_float64;
  made->interval = is_dtype(image, DType::Kind::uint8) ? Interval::of(0, 1) : image.interval;
  return made;
}

static Ref skimage_bytes(Machine& m, Call& call)
{
  Tensor* const made = array_like(m, call, operand(m, call, "image"));
  made->dtype = k_uint8;
  made->interval = Interval::of(0, 255);
  return made;
}

static Ref same_image(Machine& m, Call& call)
{
  return array_like(m, call, operand(m, call, "image"));
}

static constexpr std::string_view k_any = "*args, **kwargs";
static constexpr std::string_view k_src = "src, *args, **kwargs";
static constexpr std::string_view k_image = "image, *args, **kwargs";

static constexpr Api k_rows[] = {
    {"cv2.imread", "filename, flags=1", Role::function, "load_data", k_source, cv_read},
    {"cv2.imdecode", "buf, flags", Role::function, "load_data", k_source, cv_read},
    {"cv2.resize",
     "src, dsize, dst=None, fx=0, fy=0, interpolation=1",
     Role::function,
     {},
     0,
     cv_to_size},
    {"cv2.cvtColor", "src, code, dst=None, dstCn=0", Role::function, {}, 0, cv_convert},
    {"cv2.GaussianBlur", k_src, Role::function, {}, 0, cv_same},
    {"cv2.medianBlur", k_src, Role::function, {}, 0, cv_same},
    {"cv2.blur", k_src, Role::function, {}, 0, cv_same},
    {"cv2.bilateralFilter", k_src, Role::function, {}, 0, cv_same},
    {"cv2.equalizeHist", k_src, Role::function, {}, 0, cv_same},
    {"cv2.normalize", k_src, Role::function, {}, 0, cv_same},
    {"cv2.flip", k_src, Role::function, {}, 0, cv_same},
    {"cv2.bitwise_not", k_src, Role::function, {}, 0, cv_same},
    {"cv2.dilate", k_src, Role::function, {}, 0, cv_same},
    {"cv2.erode", k_src, Role::function, {}, 0, cv_same},
    {"cv2.morphologyEx", k_src, Role::function, {}, 0, cv_same},
    {"cv2.threshold", k_src, Role::function, {}, 0, cv_threshold},
    {"cv2.adaptiveThreshold", k_src, Role::function, {}, 0, cv_same},
    {"cv2.warpAffine", "src, M, dsize, **kwargs", Role::function, {}, 0, cv_to_size},
    {"cv2.warpPerspective", "src, M, dsize, **kwargs", Role::function, {}, 0, cv_to_size},
    {"cv2.split", "m", Role::function, {}, 0, cv_channels},
    {"cv2.VideoCapture", k_any, Role::object},
    {"cv2.VideoCapture.read", "", Role::method, {}, 0, cv_frame},

    {"PIL.Image.open",
     "fp, mode='r', formats=None",
     Role::function,
     "load_data",
     k_source,
     pil_open},
    {"PIL.Image.new", "mode, size, color=0", Role::function, {}, 0, pil_new},
    {"PIL.Image.fromarray", "obj, mode=None", Role::function, {}, 0, pil_from_array},
    {"PIL.Image.Image", k_any, Role::object},
    {"PIL.Image.Image.resize", "size, resample=None, **kwargs", Role::method, {}, 0, pil_resize},
    {"PIL.Image.Image.convert", "mode=None, **kwargs", Role::method, {}, 0, pil_convert},
    {"PIL.Image.Image.crop", "box=None", Role::method, {}, 0, pil_crop},
    {"PIL.Image.Image.rotate", k_any, Role::method, {}, 0, pil_same},
    {"PIL.Image.Image.copy", "", Role::method, {}, 0, pil_same},
    {"PIL.Image.Image.filter", k_any, Role::method, {}, 0, pil_same},
    {"PIL.Image.Image.transpose", k_any, Role::method, {}, 0, pil_other_size},
    {"PIL.Image.Image.thumbnail", k_any, Role::opaque},
    {"PIL.Image.Image.paste", k_any, Role::opaque},
    {"PIL.Image.Image.save", k_any, Role::opaque},
    {"PIL.Image.Image.show", k_any, Role::opaque},
    {"PIL.Image.Image.close", "", Role::opaque},
    {"PIL.Image.Image.load", "", Role::opaque},
    {"PIL.Image.Image.putpixel", k_any, Role::opaque},
    {"PIL.Image.Image.getdata", k_any, Role::method, {}, 0, pil_pixels},
    {"PIL.Image.Image.getpixel", k_any, Role::method},
    {"PIL.Image.Image.split", "", Role::method},
    {"PIL.Image.Image.getbands", "", Role::method},
    {"PIL.Image.Image.tobytes", k_any, Role::opaque},
    {"PIL.Image.Image.size", "", Role::attribute, {}, 0, pil_size},
    {"PIL.Image.Image.width", "", Role::attribute, {}, 0, pil_size},
    {"PIL.Image.Image.height", "", Role::attribute, {}, 0, pil_size},
    {"PIL.Image.Image.mode", "", Role::attribute},
    {"PIL.Image.Image.format", "", Role::attribute},
    {"PIL.Image.Image.filename", "", Role::attribute},

    {"skimage.io.imread",
     "fname, as_gray=False, **kwargs",
     Role::function,
     "load_data",
     k_source,
     read_colour},
    {"skimage.transform.resize",
     "image, output_shape, order=None, mode='reflect', cval=0, clip=True, preserve_range=False, "
     "**kwargs",
     Role::function,
     {},
     0,
     skimage_resize},
    {"skimage.transform.rescale", k_any, Role::function},
    {"skimage.transform.rotate", k_image, Role::function, {}, 0, same_image},
    {"skimage.color.rgb2gray", "rgb, **kwargs", Role::function, {}, 0, skimage_grey},
    {"skimage.color.rgb2lab", k_image, Role::function},
    {"skimage.color.gray2rgb", k_image, Role::function},
    {"skimage.img_as_float", "image, **kwargs", Role::function, {}, 0, skimage_float},
    {"skimage.img_as_float32", "image, **kwargs", Role::function, {}, 0, skimage_float},
    {"skimage.img_as_ubyte", "image, **kwargs", Role::function, {}, 0, skimage_bytes},
    {"skimage.util.random_noise", "image, **kwargs", Role::function, {}, 0, skimage_float},
    {"imageio.imread", "uri, **kwargs", Role::function, "load_data", k_source, read_colour},
    {"scipy.misc.imread",
     "name, flatten=False, mode=None",
     Role::function,
     "load_data",
     k_source,
     read_colour},
    {"scipy.ndimage.imread",
     "name, flatten=False, mode=None",
     Role::function,
     "load_data",
     k_source,
     read_colour},
    {"scipy.misc.imsave", k_any, Role::opaque},
    {"scipy.misc.imresize", k_any, Role::function},
    {"matplotlib.pyplot.imread",
     "fname, format=None",
     Role::function,
     "load_data",
     k_source,
     plot_read},
    {"matplotlib.image.imread",
     "fname, format=None",
     Role::function,
     "load_data",
     k_source,
     plot_read},
};

std::span<const Api> images()
{
  return k_rows;
}

} // namespace faultline::program
