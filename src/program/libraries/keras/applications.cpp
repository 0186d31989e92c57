// The pretrained models of keras.applications, their preprocessing, and what comes out of them.

#include "program/libraries/keras/applications.hpp"

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

// How the size of an image shrinks until the last feature map.
enum class Shrink : uint8_t { floor32, even32, inception, xception };
// What preprocess_input makes of pixels 0..255.
enum class Scaling : uint8_t { caffe, tf, torch, none };

struct Family {
  std::string_view name;
  int64_t size = 224;    // default height and width
  int64_t smallest = 32; // without the top
  int64_t channels = 0;  // of the last feature map; 0 if it depends on other arguments
  Shrink shrink = Shrink::even32;
};

constexpr Family k_families[] = {
    {"VGG16", 224, 32, 512, Shrink::floor32},
    {"VGG19", 224, 32, 512, Shrink::floor32},
    {"ResNet50", 224, 32, 2048},
    {"ResNet101", 224, 32, 2048},
    {"ResNet152", 224, 32, 2048},
    {"ResNet50V2", 224, 32, 2048},
    {"ResNet101V2", 224, 32, 2048},
    {"ResNet152V2", 224, 32, 2048},
    {"MobileNet", 224, 32, 0},
    {"MobileNetV2", 224, 32, 0},
    {"MobileNetV3Small", 224, 32, 0},
    {"MobileNetV3Large", 224, 32, 0},
    {"InceptionV3", 299, 75, 2048, Shrink::inception},
    {"InceptionResNetV2", 299, 75, 1536, Shrink::inception},
    {"Xception", 299, 71, 2048, Shrink::xception},
    {"DenseNet121", 224, 32, 1024},
    {"DenseNet169", 224, 32, 1664},
    {"DenseNet201", 224, 32, 1920},
    {"NASNetMobile", 224, 32, 1056},
    {"NASNetLarge", 331, 32, 4032},
    {"EfficientNetB0", 224, 32, 1280},
    {"EfficientNetB1", 240, 32, 1280},
    {"EfficientNetB2", 260, 32, 1408},
    {"EfficientNetB3", 300, 32, 1536},
    {"EfficientNetB4", 380, 32, 1792},
    {"EfficientNetB5", 456, 32, 2048},
    {"EfficientNetB6", 528, 32, 2304},
    {"EfficientNetB7", 600, 32, 2560},
    {"EfficientNetV2B0", 224, 32, 1280},
    {"EfficientNetV2B1", 240, 32, 1280},
    {"EfficientNetV2B2", 260, 32, 1408},
    {"EfficientNetV2B3", 300, 32, 1536},
    {"EfficientNetV2S", 384, 32, 1280},
    {"EfficientNetV2M", 480, 32, 1280},
    {"EfficientNetV2L", 480, 32, 1280},
    {"ConvNeXtTiny", 224, 32, 768},
    {"ConvNeXtSmall", 224, 32, 768},
    {"ConvNeXtBase", 224, 32, 1024},
    {"ConvNeXtLarge", 224, 32, 1536},
    {"ConvNeXtXLarge", 224, 32, 2048},
};

const Family* family_of(const Instance& model)
{
  if (model.api == nullptr || !model.api->name.starts_with("keras.applications.")) {
    return nullptr;
  }
  const std::string_view name = model.api->name.substr(model.api->name.rfind('.') + 1);
  for (const Family& family : k_families) {
    if (family.name == name) {
      return &family;
    }
  }
  return nullptr;
}

Dim valid(Dim size, int64_t kernel, int64_t stride)
{
  return size.minus(Dim::constant(kernel)).floor_div(stride).plus(Dim::constant(1));
}

Dim shrunk(Dim size, Shrink way)
{
  switch (way) {
  case Shrink::floor32:
    for (int i = 0; i < 5; ++i) {
      size = size.floor_div(2);
    }
    return size;
  case Shrink::inception:
    size = valid(valid(size, 3, 2), 3, 1);              // stem
    size = valid(valid(size, 3, 2), 3, 1);              // first pooling
    return valid(valid(valid(size, 3, 2), 3, 2), 3, 2); // pooling and two reductions
  case Shrink::xception:
    size = valid(valid(size, 3, 2), 3, 1);
    for (int i = 0; i < 4; ++i) {
      size = size.ceil_div(2);
    }
    return size;
  case Shrink::even32:
    break;
  }
  const std::optional<int64_t> known = size.constant();
  return known && *known % 32 == 0 ? Dim::constant(*known / 32) : Dim::top();
}

bool with_top(Machine& machine, const Call& made)
{
  return machine.truthiness(made.arg("include_top")).value_or(true);
}

// The shape after the top, the pooling or the last feature map, for images of that shape.
Shape result_shape(Machine& machine,
                   const Instance& model,
                   const Family& family,
                   const Shape& images)
{
  const Call& made = *model.made_by;
  if (with_top(machine, made)) {
    return Shape::of({images.at(0), machine.to_dim(made.arg("classes"))});
  }
  const Dim channels = family.channels > 0 ? Dim::constant(family.channels) : Dim::top();
  const Ref pooling = made.arg("pooling");
  if (machine.to_string(pooling)) {
    return Shape::of({images.at(0), channels});
  }
  if (!machine.is_none(pooling)) {
    return Shape::top();
  }
  const bool first = keras::channels_first(machine, made);
  const Dim height = shrunk(images.at(first ? 2 : 1), family.shrink);
  const Dim width = shrunk(images.at(first ? 3 : 2), family.shrink);
  return first ? Shape::of({images.at(0), channels, height, width})
               : Shape::of({images.at(0), height, width, channels});
}

Tensor* features(
    Machine& machine, Call& call, const Instance& model, const Family& family, const Tensor& images)
{
  Tensor* made = machine.tensor(call,
                                result_shape(machine, model, family, images.shape),
                                DType::Kind::float32,
                                Interval::reals());
  made->library = Library::keras;
  made->requires_grad = Truth::yes;
  if (with_top(machine, *model.made_by) &&
      machine.op_of(model.made_by->arg("classifier_activation")) == "softmax") {
    made->interval = Interval::of(0, 1);
    made->encoding = Encoding::probability;
  }
  return made;
}

// What the constructor says about images, checked against what the family can do.
Shape declared_images(Machine& machine, Instance& model, const Family& family)
{
  const Call& made = *model.made_by;
  const bool top = with_top(machine, made);
  if (const Tensor* tensor = as<Tensor>(made.arg("input_tensor"))) {
    return tensor->shape;
  }
  const auto dims = machine.to_dims(made.arg("input_shape"));
  if (!dims) {
    const Dim size =
        top && machine.is_none(made.arg("input_shape")) ? Dim::constant(family.size) : Dim::top();
    const bool first = keras::channels_first(machine, made);
    const Dim colours = Dim::constant(3);
    return first ? Shape::of({Dim::batch(), colours, size, size})
                 : Shape::of({Dim::batch(), size, size, colours});
  }
  const Span span = made.argument("input_shape")->span;
  if (dims->size() != 3) {
    machine.problem(ProblemKind::input_shape,
                    span,
                    format("`{}` takes images (height, width, channels), but `input_shape` is {}",
                           family.name,
                           Shape::of(*dims).text()),
                    model.made_by);
    return Shape::of_rank(4);
  }
  const bool first = keras::channels_first(machine, made);
  for (const size_t axis : {first ? 1 : 0, first ? 2 : 1}) {
    const std::optional<int64_t> size = (*dims)[axis].constant();
    if (!top && size && *size < family.smallest) {
      machine.problem(ProblemKind::input_shape,
                      span,
                      format("`{}` takes images of at least {}x{}, but `input_shape` is {}",
                             family.name,
                             family.smallest,
                             family.smallest,
                             Shape::of(*dims).text()),
                      model.made_by);
      return Shape::of_rank(4);
    }
  }
  return Shape::of({Dim::batch()}).plus(Shape::of(*dims));
}

Ref apply_pretrained(Machine& machine, Call& call)
{
  const Tensor* images = keras::begin(machine, call);
  const Family* family = family_of(*call.layer);
  if (family == nullptr || call.layer->made_by == nullptr) {
    return keras::learned(machine, call, Shape::top());
  }
  if (!keras::expect_rank(machine, call, *images, 4)) {
    return keras::learned(machine, call, Shape::top());
  }
  return features(machine, call, *call.layer, *family, *images);
}

Interval scaled(Scaling scaling, const Interval& pixels)
{
  if (!pixels.is_known()) {
    return pixels;
  }
  switch (scaling) {
  case Scaling::caffe: // the means of the channels lie between 103.9 and 123.7
    return Interval::of(pixels.low() - 123.68, pixels.high() - 103.939);
  case Scaling::tf:
    return pixels.over(Interval::point(127.5)).minus(Interval::point(1));
  case Scaling::torch: { // means 0.406..0.485, deviations 0.224..0.229
    const Interval unit = pixels.over(Interval::point(255));
    return Interval::of((unit.low() - 0.485) / 0.224, (unit.high() - 0.406) / 0.224);
  }
  case Scaling::none:
    break;
  }
  return pixels;
}

Ref preprocess(Machine& machine, Call& call)
{
  Tensor* pixels = machine.to_tensor(call.arg("x"));
  if (pixels == nullptr) {
    return machine.unknown();
  }
  Tensor* made = machine.like(call, *pixels);
  made->literal = nullptr;
  made->interval = scaled(static_cast<Scaling>(call.api->number), pixels->interval);
  if (static_cast<Scaling>(call.api->number) != Scaling::none && !pixels->dtype.is_floating()) {
    made->dtype = DType::Kind::float32;
  }
  return made;
}

constexpr std::string_view k_signature =
    "include_top=True, weights='imagenet', input_tensor=None, input_shape=None, pooling=None, "
    "classes=1000, classifier_activation='softmax', **kwargs";
constexpr std::string_view k_mobile =
    "input_shape=None, alpha=1.0, include_top=True, weights='imagenet', input_tensor=None, "
    "pooling=None, classes=1000, classifier_activation='softmax', **kwargs";
constexpr std::string_view k_nasnet =
    "input_shape=None, include_top=True, weights='imagenet', input_tensor=None, pooling=None, "
    "classes=1000, classifier_activation='softmax', **kwargs";
constexpr std::string_view k_convnext =
    "include_top=True, include_preprocessing=True, weights='imagenet', input_tensor=None, "
    "input_shape=None, pooling=None, classes=1000, classifier_activation='softmax', **kwargs";

constexpr Api model(std::string_view name, std::string_view signature = k_signature)
{
  return {name, signature, Role::model, "pretrained", k_learning, apply_pretrained, "keras.Model"};
}

constexpr Api preprocessing(std::string_view name, Scaling scaling)
{
  return {name,
          "x, data_format=None, mode='caffe'",
          Role::function,
          "preprocess_input",
          k_elementwise,
          preprocess,
          {},
          static_cast<int>(scaling)};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    model("keras.applications.VGG16"),
    model("keras.applications.VGG19"),
    model("keras.applications.ResNet50"),
    model("keras.applications.ResNet101"),
    model("keras.applications.ResNet152"),
    model("keras.applications.ResNet50V2"),
    model("keras.applications.ResNet101V2"),
    model("keras.applications.ResNet152V2"),
    model("keras.applications.MobileNet", k_mobile),
    model("keras.applications.MobileNetV2", k_mobile),
    model("keras.applications.MobileNetV3Small", k_mobile),
    model("keras.applications.MobileNetV3Large", k_mobile),
    model("keras.applications.InceptionV3"),
    model("keras.applications.InceptionResNetV2"),
    model("keras.applications.Xception"),
    model("keras.applications.DenseNet121"),
    model("keras.applications.DenseNet169"),
    model("keras.applications.DenseNet201"),
    model("keras.applications.NASNetMobile", k_nasnet),
    model("keras.applications.NASNetLarge", k_nasnet),
    model("keras.applications.EfficientNetB0"),
    model("keras.applications.EfficientNetB1"),
    model("keras.applications.EfficientNetB2"),
    model("keras.applications.EfficientNetB3"),
    model("keras.applications.EfficientNetB4"),
    model("keras.applications.EfficientNetB5"),
    model("keras.applications.EfficientNetB6"),
    model("keras.applications.EfficientNetB7"),
    model("keras.applications.EfficientNetV2B0"),
    model("keras.applications.EfficientNetV2B1"),
    model("keras.applications.EfficientNetV2B2"),
    model("keras.applications.EfficientNetV2B3"),
    model("keras.applications.EfficientNetV2S"),
    model("keras.applications.EfficientNetV2M"),
    model("keras.applications.EfficientNetV2L"),
    model("keras.applications.ConvNeXtTiny", k_convnext),
    model("keras.applications.ConvNeXtSmall", k_convnext),
    model("keras.applications.ConvNeXtBase", k_convnext),
    model("keras.applications.ConvNeXtLarge", k_convnext),
    model("keras.applications.ConvNeXtXLarge", k_convnext),

    preprocessing("keras.applications.vgg16.preprocess_input", Scaling::caffe),
    preprocessing("keras.applications.vgg19.preprocess_input", Scaling::caffe),
    preprocessing("keras.applications.resnet50.preprocess_input", Scaling::caffe),
    preprocessing("keras.applications.resnet.preprocess_input", Scaling::caffe),
    preprocessing("keras.applications.imagenet_utils.preprocess_input", Scaling::caffe),
    preprocessing("keras.applications.resnet_v2.preprocess_input", Scaling::tf),
    preprocessing("keras.applications.mobilenet.preprocess_input", Scaling::tf),
    preprocessing("keras.applications.mobilenet_v2.preprocess_input", Scaling::tf),
    preprocessing("keras.applications.nasnet.preprocess_input", Scaling::tf),
    preprocessing("keras.applications.inception_v3.preprocess_input", Scaling::tf),
    preprocessing("keras.applications.inception_resnet_v2.preprocess_input", Scaling::tf),
    preprocessing("keras.applications.xception.preprocess_input", Scaling::tf),
    preprocessing("keras.applications.densenet.preprocess_input", Scaling::torch),
    preprocessing("keras.applications.mobilenet_v3.preprocess_input", Scaling::none),
    preprocessing("keras.applications.efficientnet.preprocess_input", Scaling::none),
    preprocessing("keras.applications.efficientnet_v2.preprocess_input", Scaling::none),
    preprocessing("keras.applications.convnext.preprocess_input", Scaling::none),
    preprocessing("keras.applications.regnet.preprocess_input", Scaling::none),
    {"keras.applications.decode_predictions", "preds, top=5", Role::opaque},
};
// clang-format on

} // namespace

bool is_pretrained(const Instance& model)
{
  return family_of(model) != nullptr;
}

PretrainedEnds pretrained_ends(Machine& machine, Instance& model)
{
  const Family* family = family_of(model);
  if (family == nullptr || model.made_by == nullptr) {
    return {};
  }
  if (const auto input = model.attributes.find("input"); input != model.attributes.end()) {
    return {as<Tensor>(input->second), as<Tensor>(model.attributes["output"])};
  }
  Tensor* input = as<Tensor>(model.made_by->arg("input_tensor"));
  const Shape images = declared_images(machine, model, *family);
  if (input == nullptr) {
    input = machine.data(Library::keras, images, DType::Kind::float32, Interval::top());
    input->origin = model.made_by->span;
  }
  Tensor* output = features(machine, *model.made_by, model, *family, *input);
  machine.touch(model);
  model.attributes["input"] = input;
  model.attributes["output"] = output;
  return {input, output};
}

std::span<const Api> keras_applications()
{
  return k_rows;
}

} // namespace faultline::program
