// torchvision.transforms: what each step does to an image. An image is a PIL picture until
// ToTensor, then a tensor with the channels in front.

#include "base/format.hpp"
#include "program/libraries/images/images.hpp"
#include "program/names/tables.hpp"

#include <algorithm>

namespace faultline::program {

static constexpr DType k_float32 = DType::Kind::float32;

// The image that a step gets: the first argument of its call.
static Ref image_of(const Call& call)
{
  const std::vector<Ref> given = positional(call);
  return given.empty() ? nullptr : given.front();
}

// What the step's constructor was given.
static Ref setting(const Call& call, std::string_view name)
{
  const auto* made_by = call.layer != nullptr ? call.layer->made_by : nullptr;
  return made_by != nullptr ? made_by->arg(name) : nullptr;
}

static Span setting_span(const Call& call, std::string_view name)
{
  const auto* made_by = call.layer != nullptr ? call.layer->made_by : nullptr;
  const Argument* const argument = made_by != nullptr ? made_by->argument(name) : nullptr;
  return argument != nullptr ? argument->span : call.span;
}

static bool is_torch(Ref value)
{
  const auto* tensor = as<Tensor>(value);
  return tensor != nullptr && tensor->library == Library::torch;
}

static Tensor* torch_tensor(Machine& m, Call& call, const Tensor& input, Shape shape)
{
  Tensor* const made = rearranged(m, call, input, std::move(shape));
  made->library = Library::torch;
  made->contiguous = Truth::yes;
  return made;
}

// Height and width stand first in a picture, last in a tensor.
static Sides sides_of_image(Machine& m, Ref image)
{
  const Tensor* const pixels = pixels_of(image);
  if (!is_torch(image)) {
    return sides_of(m, image);
  }
  const bool ranked = pixels->shape.has_rank() && *pixels->shape.rank() >= 2;
  return ranked ? Sides{pixels->shape.at(-2), pixels->shape.at(-1)} : Sides{};
}

static Ref with_sides(Machine& m, Call& call, Ref image, const Sides& sides)
{
  const Tensor* const pixels = pixels_of(image);
  if (pixels == nullptr) {
    return m.unknown();
  }
  if (is_torch(image)) {
    const bool ranked = pixels->shape.has_rank() && *pixels->shape.rank() >= 2;
    return torch_tensor(m,
                        call,
                        *pixels,
                        ranked ? pixels->shape.with(-2, sides.height).with(-1, sides.width)
                               : Shape::top());
  }
  return is_picture(image) ? static_cast<Ref>(picture_of_size(m, call, image, sides))
                           : static_cast<Ref>(resized(m, call, *pixels, sides.height, sides.width));
}

static Ref same(Machine& m, Call& call)
{
  const Ref image = image_of(call);
  return image != nullptr ? image : m.unknown();
}

// --- Sizes. ---

// One number stands for a square.
static Sides square_or_pair(const Machine& m, Ref size)
{
  const auto dims = m.to_dims(size);
  if (!dims || dims->empty()) {
    return {};
  }
  return dims->size() == 1 ? Sides{dims->front(), dims->front()} : Sides{(*dims)[0], (*dims)[1]};
}

// Resize(s) makes the shorter side s and keeps the ratio; only a square becomes a square.
static Ref resize(Machine& m, Call& call)
{
  const Ref image = image_of(call);
  const Ref size = setting(call, "size");
  Sides to = square_or_pair(m, size);
  const auto* pair = as<Sequence>(size);
  if (pair == nullptr || pair->items.size() == 1) {
    const Sides from = sides_of_image(m, image);
    const bool is_square = from.height.constant() && from.height == from.width;
    to = is_square ? to : Sides{m.fresh_symbol(), m.fresh_symbol()};
  }
  return with_sides(m, call, image, to);
}

static Ref crop(Machine& m, Call& call)
{
  return with_sides(m, call, image_of(call), square_or_pair(m, setting(call, "size")));
}

static Ref random_crop(Machine& m, Call& call)
{
  const Ref image = image_of(call);
  const Sides to = square_or_pair(m, setting(call, "size"));
  const Sides from = sides_of_image(m, image);
  const Ref padding = setting(call, "padding");
  const bool pads = (padding != nullptr && !m.is_none(padding)) ||
                    m.truthiness(setting(call, "pad_if_needed")) != false;
  const auto is_larger = [](const Dim& asked, const Dim& there) {
    return asked.constant() && there.constant() && *asked.constant() > *there.constant();
  };
  if (!pads && (is_larger(to.height, from.height) || is_larger(to.width, from.width))) {
    m.problem(ProblemKind::empty_result,
              setting_span(call, "size"),
              format("a crop of {}x{} does not fit an image of {}x{}",
                     to.height.text(),
                     to.width.text(),
                     from.height.text(),
                     from.width.text()),
              &call);
  }
  return with_sides(m, call, image, to);
}

static Ref pad(Machine& m, Call& call)
{
  const Ref image = image_of(call);
  const Sides from = sides_of_image(m, image);
  const Ref padding = setting(call, "padding");
  std::optional<std::vector<int64_t>> around; // left, top, right, bottom
  if (const auto all = m.to_ints(padding, 4)) {
    around = all;
  } else if (const auto pair = m.to_ints(padding, 2)) {
    around = std::vector<int64_t>{(*pair)[0], (*pair)[1], (*pair)[0], (*pair)[1]};
  }
  if (!around) {
    return with_sides(m, call, image, {});
  }
  return with_sides(m,
                    call,
                    image,
                    {from.height.plus(Dim::constant((*around)[1] + (*around)[3])),
                     from.width.plus(Dim::constant((*around)[0] + (*around)[2]))});
}

static Ref rotate(Machine& m, Call& call)
{
  const Ref grows = setting(call, "expand");
  return grows == nullptr || m.truthiness(grows) == false ? same(m, call)
                                                          : with_sides(m, call, image_of(call), {});
}

static Ref several_crops(Machine& m, Call& call)
{
  const Ref one = crop(m, call);
  const size_t count = call.name.ends_with("TenCrop") ? 10 : 5;
  return m.tuple(std::vector<Ref>(count, one));
}

static Ref grey(Machine& m, Call& call)
{
  const Ref image = image_of(call);
  const Tensor* const pixels = pixels_of(image);
  const auto channels = m.to_int(setting(call, "num_output_channels"));
  if (pixels == nullptr) {
    return m.unknown();
  }
  if (is_torch(image)) {
    const bool ranked = pixels->shape.has_rank() && *pixels->shape.rank() >= 3;
    return torch_tensor(m,
                        call,
                        *pixels,
                        ranked && channels ? pixels->shape.with(-3, Dim::constant(*channels))
                                           : Shape::top());
  }
  return picture(
      m,
      call,
      with_channels(m, call, *pixels, channels == 1 ? std::optional<int64_t>(0) : channels));
}

static Ref random_grey(Machine&, Call& call)
{
  return image_of(call);
}

// --- Kinds of images. ---

static Shape channels_first(Machine& m, Ref image)
{
  const Shape& shape = pixels_of(image)->shape;
  const auto rank = shape.rank();
  if (rank && *rank != 2 && *rank != 3) {
    return Shape::top();
  }
  const Sides sides = sides_of(m, image);
  const Dim channels = !rank ? Dim::top() : *rank == 2 ? Dim::constant(1) : shape.at(2);
  return Shape::of({channels, sides.height, sides.width});
}

// Bytes become numbers in [0, 1]; arrays of other types keep their values.
static Ref to_tensor(Machine& m, Call& call)
{
  const Ref image = image_of(call);
  const Tensor* const pixels = pixels_of(image);
  if (pixels == nullptr) {
    return m.unknown();
  }
  if (is_torch(image)) {
    m.problem(ProblemKind::bad_argument,
              call.layer != nullptr && call.layer->made_by != nullptr ? call.layer->made_by->span
                                                                      : call.span,
              "`ToTensor` gets a tensor; it wants a PIL image or an array",
              &call);
    return image;
  }
  Tensor* const made = torch_tensor(m, call, *pixels, channels_first(m, image));
  const bool bytes = is_picture(image) || is_dtype(*pixels, DType::Kind::uint8);
  made->dtype = bytes ? k_float32 : pixels->dtype;
  if (bytes) {
    made->interval = pixels->interval.is_known()
                         ? pixels->interval.times(Interval::point(1.0 / 255))
                         : Interval::of(0, 1);
  }
  return made;
}

static Ref bytes_to_tensor(Machine& m, Call& call)
{
  const Ref image = image_of(call);
  const Tensor* const pixels = pixels_of(image);
  return pixels != nullptr ? torch_tensor(m, call, *pixels, channels_first(m, image)) : m.unknown();
}

static Ref to_picture(Machine& m, Call& call)
{
  const Ref image = image_of(call);
  const Tensor* const pixels = pixels_of(image);
  if (pixels == nullptr) {
    return m.unknown();
  }
  Shape shape = pixels->shape;
  if (is_torch(image) && shape.rank() == 3) {
    shape =
        shape.at(0).is(1) ? shape.without(0) : Shape::of({shape.at(1), shape.at(2), shape.at(0)});
  }
  Tensor* const bytes = rearranged(m, call, *pixels, shape);
  bytes->library = Library::numpy;
  bytes->dtype = DType::Kind::uint8;
  bytes->interval = Interval::of(0, 255);
  return picture(m, call, bytes);
}

static Ref to_dtype(Machine& m, Call& call)
{
  const Ref image = image_of(call);
  const Tensor* const pixels = pixels_of(image);
  const auto dtype = m.to_dtype(setting(call, "dtype"));
  if (pixels == nullptr) {
    return m.unknown();
  }
  Tensor* const made = torch_tensor(m, call, *pixels, pixels->shape);
  made->dtype = dtype.value_or(DType());
  const bool scales =
      call.name.ends_with("ConvertImageDtype") || m.to_bool(setting(call, "scale")) == true;
  if (scales && pixels->dtype.is_integer() && made->dtype.is_floating()) {
    made->interval = Interval::of(0, 1);
  }
  return made;
}

// (x - mean) / std, channel by channel: the hull over all channels.
static Ref normalize(Machine& m, Call& call)
{
  const Ref image = image_of(call);
  if (is_picture(image)) {
    m.problem(ProblemKind::bad_argument,
              call.layer != nullptr && call.layer->made_by != nullptr ? call.layer->made_by->span
                                                                      : call.span,
              "`Normalize` gets a PIL image; it wants a tensor",
              &call)
        .help = "put `ToTensor` in front of it";
    return image;
  }
  const Tensor* const input = pixels_of(image);
  if (input == nullptr) {
    return m.unknown();
  }
  const std::vector<Ref> means = m.items_of(setting(call, "mean"));
  const std::vector<Ref> spreads = m.items_of(setting(call, "std"));
  const Dim channels =
      input->shape.has_rank() && *input->shape.rank() >= 3 ? input->shape.at(-3) : Dim::top();
  const Dim given = Dim::constant(static_cast<int64_t>(means.size()));
  if (means.size() > 1 && channels.constant() && channels != given) {
    m.problem(ProblemKind::features,
              setting_span(call, "mean"),
              format("`Normalize` has {} means, but the image has {} channels",
                     means.size(),
                     channels.text()),
              &call);
  }
  Tensor* const made = torch_tensor(m, call, *input, input->shape);
  made->interval = Interval::bottom();
  for (size_t i = 0; i < std::min(means.size(), spreads.size()); ++i) {
    const auto mean = m.to_double(means[i]);
    const auto spread = m.to_double(spreads[i]);
    if (!mean || !spread || !input->interval.is_known()) {
      made->interval = Interval::top();
      break;
    }
    made->interval.join(
        input->interval.minus(Interval::point(*mean)).over(Interval::point(*spread)));
  }
  if (made->interval.is_bottom()) {
    made->interval = Interval::top();
  }
  return made;
}

// --- Chains. ---

static Ref compose(Machine& m, Call& call)
{
  Ref value = same(m, call);
  const Ref steps = setting(call, "transforms");
  const auto* list = as<Sequence>(steps);
  if (list == nullptr || list->open) {
    return m.unknown();
  }
  for (const Ref step : list->items) {
    value = m.call(step, std::vector<Ref>{value}, call.span);
  }
  return value;
}

static Ref one_of(Machine& m, Call& call)
{
  const Ref image = same(m, call);
  Ref result = call.name.ends_with("RandomApply") ? image : nullptr;
  for (const Ref step : m.items_of(setting(call, "transforms"))) {
    const Ref value = m.call(step, std::vector<Ref>{image}, call.span);
    result = result == nullptr ? value : m.join(result, value);
  }
  return result != nullptr ? result : m.unknown();
}

static Ref user_function(Machine& m, Call& call)
{
  const Ref function = setting(call, "lambd");
  return function != nullptr ? m.call(function, std::vector<Ref>{same(m, call)}, call.span)
                             : m.unknown();
}

// torchvision.transforms.functional.resize(img, …) is the class applied at once.
static Ref applied(Machine& m, Call& call)
{
  struct Pair {
    std::string_view function;
    std::string_view klass;
  };
  static constexpr Pair k_pairs[] = {
      {"to_tensor", "ToTensor"},
      {"pil_to_tensor", "PILToTensor"},
      {"to_pil_image", "ToPILImage"},
      {"normalize", "Normalize"},
      {"resize", "Resize"},
      {"center_crop", "CenterCrop"},
      {"pad", "Pad"},
      {"rgb_to_grayscale", "Grayscale"},
      {"to_grayscale", "Grayscale"},
      {"convert_image_dtype", "ConvertImageDtype"},
  };
  const std::string_view name = std::string_view(call.name).substr(call.name.rfind('.') + 1);
  for (const Pair& pair : k_pairs) {
    if (pair.function == name && !call.surplus.empty()) {
      std::vector<Argument> rest(call.surplus.begin() + 1, call.surplus.end());
      const Ref step = m.call_api(
          "torchvision.transforms." + std::string(pair.klass), std::move(rest), call.span);
      return m.call(step, std::vector<Ref>{call.surplus.front().value}, call.span);
    }
  }
  return m.unknown();
}

static Ref same_argument(Machine& m, Call& call)
{
  return same(m, call);
}

static constexpr std::string_view k_any = "*args, **kwargs";
static constexpr std::string_view k_size = "size, **kwargs";

// A step: its class and the call of its instances.
#define FL_STEP(name, signature, op, traits, transfer)                                             \
  {"torchvision.transforms." name, signature, Role::transform, op, traits},                        \
  {                                                                                                \
    "torchvision.transforms." name ".__call__", "*images", Role::method, op, traits, transfer      \
  }

static constexpr Api k_rows[] = {
    FL_STEP("Compose", "transforms", {}, 0, compose),
    FL_STEP("RandomApply", "transforms, p=0.5", {}, k_random, one_of),
    FL_STEP("RandomChoice", "transforms, p=None", {}, k_random, one_of),
    FL_STEP("RandomOrder", "transforms", {}, k_random, compose),
    FL_STEP("Lambda", "lambd", "lambda", 0, user_function),
    FL_STEP("ToTensor", "", "to_tensor", 0, to_tensor),
    FL_STEP("PILToTensor", "", {}, 0, bytes_to_tensor),
    FL_STEP("ToImage", "", {}, 0, bytes_to_tensor),
    FL_STEP("ToPureTensor", "", {}, 0, same),
    FL_STEP("ToPILImage", "mode=None", {}, 0, to_picture),
    FL_STEP("ConvertImageDtype", "dtype", "cast", 0, to_dtype),
    FL_STEP("ToDtype", "dtype, scale=False", "cast", 0, to_dtype),
    FL_STEP("Normalize", "mean, std, inplace=False", "rescaling", 0, normalize),
    FL_STEP("Resize", "size, interpolation=None, max_size=None, antialias=True", {}, 0, resize),
    FL_STEP("Scale", "size, interpolation=None", {}, 0, resize),
    FL_STEP("CenterCrop", "size", "crop", 0, crop),
    FL_STEP("RandomCrop",
            "size, padding=None, pad_if_needed=False, fill=0, padding_mode='constant'",
            "crop",
            k_random,
            random_crop),
    FL_STEP("RandomResizedCrop", k_size, "crop", k_random, crop),
    FL_STEP("RandomSizedCrop", k_size, "crop", k_random, crop),
    FL_STEP("FiveCrop", "size", "crop", 0, several_crops),
    FL_STEP("TenCrop", "size, vertical_flip=False", "crop", 0, several_crops),
    FL_STEP("Pad", "padding, fill=0, padding_mode='constant'", "pad", 0, pad),
    FL_STEP("Grayscale", "num_output_channels=1", {}, 0, grey),
    FL_STEP("RandomGrayscale", "p=0.1", {}, k_random, random_grey),
    FL_STEP("RandomHorizontalFlip", "p=0.5", "random_flip", k_random, same),
    FL_STEP("RandomVerticalFlip", "p=0.5", "random_flip", k_random, same),
    FL_STEP("RandomRotation",
            "degrees, interpolation=None, expand=False, center=None, fill=0",
            "random_rotation",
            k_random,
            rotate),
    FL_STEP("RandomAffine", "degrees, **kwargs", {}, k_random, same),
    FL_STEP("RandomPerspective", k_any, {}, k_random, same),
    FL_STEP("RandomErasing", k_any, {}, k_random, same),
    FL_STEP("RandomInvert", k_any, {}, k_random, same),
    FL_STEP("RandomPosterize", k_any, {}, k_random, same),
    FL_STEP("RandomSolarize", k_any, {}, k_random, same),
    FL_STEP("RandomAdjustSharpness", k_any, {}, k_random, same),
    FL_STEP("RandomAutocontrast", k_any, {}, k_random, same),
    FL_STEP("RandomEqualize", k_any, {}, k_random, same),
    FL_STEP("ColorJitter", k_any, {}, k_random, same),
    FL_STEP("GaussianBlur", k_any, {}, k_random, same),
    FL_STEP("ElasticTransform", k_any, {}, k_random, same),
    FL_STEP("AutoAugment", k_any, {}, k_random, same),
    FL_STEP("RandAugment", k_any, {}, k_random, same),
    FL_STEP("TrivialAugmentWide", k_any, {}, k_random, same),
    FL_STEP("AugMix", k_any, {}, k_random, same),
    FL_STEP("LinearTransformation", k_any, {}, 0, same),
    {"torchvision.transforms.InterpolationMode", "", Role::object},
    {"torchvision.transforms.InterpolationMode.BILINEAR", "", Role::constant},
    {"torchvision.transforms.InterpolationMode.BICUBIC", "", Role::constant},
    {"torchvision.transforms.InterpolationMode.NEAREST", "", Role::constant},
    {"torchvision.transforms.AutoAugmentPolicy", "", Role::object},

    {"torchvision.transforms.functional.to_tensor", k_any, Role::function, {}, 0, applied},
    {"torchvision.transforms.functional.pil_to_tensor", k_any, Role::function, {}, 0, applied},
    {"torchvision.transforms.functional.to_pil_image", k_any, Role::function, {}, 0, applied},
    {"torchvision.transforms.functional.normalize", k_any, Role::function, {}, 0, applied},
    {"torchvision.transforms.functional.resize", k_any, Role::function, {}, 0, applied},
    {"torchvision.transforms.functional.center_crop", k_any, Role::function, {}, 0, applied},
    {"torchvision.transforms.functional.pad", k_any, Role::function, {}, 0, applied},
    {"torchvision.transforms.functional.rgb_to_grayscale", k_any, Role::function, {}, 0, applied},
    {"torchvision.transforms.functional.to_grayscale", k_any, Role::function, {}, 0, applied},
    {"torchvision.transforms.functional.convert_image_dtype",
     k_any,
     Role::function,
     {},
     0,
     applied},
    {"torchvision.transforms.functional.hflip", k_any, Role::function, {}, 0, same_argument},
    {"torchvision.transforms.functional.vflip", k_any, Role::function, {}, 0, same_argument},
    {"torchvision.transforms.functional.adjust_brightness",
     k_any,
     Role::function,
     {},
     0,
     same_argument},
    {"torchvision.transforms.functional.adjust_contrast",
     k_any,
     Role::function,
     {},
     0,
     same_argument},
    {"torchvision.transforms.functional.adjust_hue", k_any, Role::function, {}, 0, same_argument},
    {"torchvision.transforms.functional.adjust_saturation",
     k_any,
     Role::function,
     {},
     0,
     same_argument},
    {"torchvision.transforms.functional.gaussian_blur",
     k_any,
     Role::function,
     {},
     0,
     same_argument},
    {"torchvision.transforms.functional.rotate", k_any, Role::function},
    {"torchvision.transforms.functional.crop", k_any, Role::function},
    {"torchvision.transforms.functional.resized_crop", k_any, Role::function},
    {"torchvision.transforms.functional.affine", k_any, Role::function},
};

#undef FL_STEP

std::span<const Api> torchvision_transforms()
{
  return k_rows;
}

} // namespace faultline::program
