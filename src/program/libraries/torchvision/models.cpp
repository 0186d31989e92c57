// torchvision.models: a backbone that turns images into features, and a head that can be replaced.

#include "base/format.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"

#include <algorithm>

namespace faultline::program {

enum class Head : uint8_t {
  fc,         // model.fc is a Linear
  classifier, // model.classifier is a Linear
  head,       // model.head is a Linear
  vgg,        // model.classifier is a Sequential, the last of it a Linear
  alexnet,
  dropout_linear, // model.classifier is [Dropout, Linear]
  mobilenet_v3,   // [Linear, Hardswish, Dropout, Linear]
  convnext,       // [LayerNorm, Flatten, Linear]
  squeezenet,     // model.classifier[1] is a convolution
  vit,            // model.heads.head is a Linear
};

struct Backbone {
  std::string_view name; // behind "torchvision.models."
  Head head;
  int64_t features; // that go into the head
  int64_t hidden = 0;
  bool auxiliary = false; // gives a second output while training
};

static constexpr Backbone k_backbones[] = {
    {"resnet18", Head::fc, 512},
    {"resnet34", Head::fc, 512},
    {"resnet50", Head::fc, 2048},
    {"resnet101", Head::fc, 2048},
    {"resnet152", Head::fc, 2048},
    {"resnext50_32x4d", Head::fc, 2048},
    {"resnext101_32x8d", Head::fc, 2048},
    {"resnext101_64x4d", Head::fc, 2048},
    {"wide_resnet50_2", Head::fc, 2048},
    {"wide_resnet101_2", Head::fc, 2048},
    {"shufflenet_v2_x0_5", Head::fc, 1024},
    {"shufflenet_v2_x1_0", Head::fc, 1024},
    {"shufflenet_v2_x1_5", Head::fc, 1024},
    {"shufflenet_v2_x2_0", Head::fc, 2048},
    {"googlenet", Head::fc, 1024, 0, true},
    {"inception_v3", Head::fc, 2048, 0, true},
    {"densenet121", Head::classifier, 1024},
    {"densenet161", Head::classifier, 2208},
    {"densenet169", Head::classifier, 1664},
    {"densenet201", Head::classifier, 1920},
    {"vgg11", Head::vgg, 25088},
    {"vgg11_bn", Head::vgg, 25088},
    {"vgg13", Head::vgg, 25088},
    {"vgg13_bn", Head::vgg, 25088},
    {"vgg16", Head::vgg, 25088},
    {"vgg16_bn", Head::vgg, 25088},
    {"vgg19", Head::vgg, 25088},
    {"vgg19_bn", Head::vgg, 25088},
    {"alexnet", Head::alexnet, 9216},
    {"mobilenet_v2", Head::dropout_linear, 1280},
    {"mobilenet_v3_large", Head::mobilenet_v3, 960, 1280},
    {"mobilenet_v3_small", Head::mobilenet_v3, 576, 1024},
    {"mnasnet0_5", Head::dropout_linear, 1280},
    {"mnasnet1_0", Head::dropout_linear, 1280},
    {"efficientnet_b0", Head::dropout_linear, 1280},
    {"efficientnet_b1", Head::dropout_linear, 1280},
    {"efficientnet_b2", Head::dropout_linear, 1408},
    {"efficientnet_b3", Head::dropout_linear, 1536},
    {"efficientnet_b4", Head::dropout_linear, 1792},
    {"efficientnet_b5", Head::dropout_linear, 2048},
    {"efficientnet_b6", Head::dropout_linear, 2304},
    {"efficientnet_b7", Head::dropout_linear, 2560},
    {"efficientnet_v2_s", Head::dropout_linear, 1280},
    {"efficientnet_v2_m", Head::dropout_linear, 1280},
    {"efficientnet_v2_l", Head::dropout_linear, 1280},
    {"convnext_tiny", Head::convnext, 768},
    {"convnext_small", Head::convnext, 768},
    {"convnext_base", Head::convnext, 1024},
    {"convnext_large", Head::convnext, 1536},
    {"squeezenet1_0", Head::squeezenet, 512},
    {"squeezenet1_1", Head::squeezenet, 512},
    {"vit_b_16", Head::vit, 768},
    {"vit_b_32", Head::vit, 768},
    {"vit_l_16", Head::vit, 1024},
    {"vit_l_32", Head::vit, 1024},
    {"vit_h_14", Head::vit, 1280},
    {"swin_t", Head::head, 768},
    {"swin_s", Head::head, 768},
    {"swin_b", Head::head, 1024},
};

static const Backbone* find_backbone(const Instance* model)
{
  if (model == nullptr || model->api == nullptr) {
    return nullptr;
  }
  const std::string_view name = model->api->name.substr(model->api->name.rfind('.') + 1);
  const auto* const found = std::ranges::find(k_backbones, name, &Backbone::name);
  return found != std::end(k_backbones) ? found : nullptr;
}

static std::string_view attribute_of(Head head)
{
  switch (head) {
  case Head::fc:
    return "fc";
  case Head::head:
    return "head";
  case Head::vit:
    return "heads";
  default:
    return "classifier";
  }
}

static Ref classes_of(Machine& m, const Instance& model)
{
  const Ref asked = model.made_by != nullptr ? model.made_by->arg("num_classes") : nullptr;
  return asked != nullptr ? asked : m.unknown();
}

// --- The head as the library builds it. ---

static Ref layer(Machine& m, std::string_view path, const std::vector<Ref>& values, Span span)
{
  std::vector<Argument> arguments;
  for (const Ref value : values) {
    arguments.push_back({.name = {}, .value = value, .span = span, .given = true});
  }
  return m.call_api(path, std::move(arguments), span);
}

static Ref chain(Machine& m, const std::vector<Ref>& layers, Span span)
{
  const Ref made = layer(m, "torch.nn.Sequential", layers, span);
  if (auto* object = as<Instance>(made); object != nullptr && object->items.empty()) {
    object->items = layers;
  }
  return made;
}

static Ref standard_head(Machine& m, const Backbone& backbone, const Instance& model, Span span)
{
  const auto linear = [&](int64_t from, Ref to) {
    return layer(m, "torch.nn.Linear", {m.integer(from), to}, span);
  };
  const auto plain = [&](std::string_view path) { return layer(m, path, {}, span); };
  const Ref classes = classes_of(m, model);
  const int64_t features = backbone.features;
  switch (backbone.head) {
  case Head::fc:
  case Head::classifier:
  case Head::head:
    return linear(features, classes);
  case Head::vgg:
    return chain(m,
                 {linear(features, m.integer(4096)),
                  plain("torch.nn.ReLU"),
                  plain("torch.nn.Dropout"),
                  linear(4096, m.integer(4096)),
                  plain("torch.nn.ReLU"),
                  plain("torch.nn.Dropout"),
                  linear(4096, classes)},
                 span);
  case Head::alexnet:
    return chain(m,
                 {plain("torch.nn.Dropout"),
                  linear(features, m.integer(4096)),
                  plain("torch.nn.ReLU"),
                  plain("torch.nn.Dropout"),
                  linear(4096, m.integer(4096)),
                  plain("torch.nn.ReLU"),
                  linear(4096, classes)},
                 span);
  case Head::dropout_linear:
    return chain(m, {plain("torch.nn.Dropout"), linear(features, classes)}, span);
  case Head::mobilenet_v3:
    return chain(m,
                 {linear(features, m.integer(backbone.hidden)),
                  plain("torch.nn.Hardswish"),
                  plain("torch.nn.Dropout"),
                  linear(backbone.hidden, classes)},
                 span);
  case Head::convnext:
    return chain(m,
                 {plain("torch.nn.Identity"), plain("torch.nn.Flatten"), linear(features, classes)},
                 span);
  case Head::squeezenet:
    return chain(m,
                 {plain("torch.nn.Dropout"),
                  layer(m, "torch.nn.Conv2d", {m.integer(features), classes, m.integer(1)}, span),
                  plain("torch.nn.ReLU"),
                  layer(m, "torch.nn.AdaptiveAvgPool2d", {m.integer(1)}, span)},
                 span);
  case Head::vit: {
    const Ref last = linear(features, classes);
    const Ref made = chain(m, {last}, span);
    if (auto* object = as<Instance>(made)) {
      set_field(m, *object, "head", last);
    }
    return made;
  }
  }
  return m.unknown();
}

static Ref head(Machine& m, Call& call)
{
  auto* const model = as<Instance>(call.self);
  const Backbone* const backbone = find_backbone(model);
  const std::string_view name = std::string_view(call.name).substr(call.name.rfind('.') + 1);
  if (backbone == nullptr || attribute_of(backbone->head) != name) {
    return m.unknown();
  }
  const Ref made = standard_head(m, *backbone, *model, call.span);
  set_field(m, *model, name, made);
  return made;
}

// --- Applying the model. ---

static Tensor* logits(Machine& m, Call& call, Shape shape)
{
  Tensor* const made = m.tensor(call, std::move(shape), DType::Kind::float32, Interval::reals());
  made->library = Library::torch;
  return made;
}

static void check_input(Machine& m, Call& call, const Tensor& input, const Instance& model)
{
  const auto rank = input.shape.rank();
  if (!rank) {
    return;
  }
  const std::string_view name = model.api->name.substr(model.api->name.rfind('.') + 1);
  if (*rank != 4) {
    m.problem(ProblemKind::rank,
              call.span,
              format("`{}` expects (N, 3, H, W), not {}", name, input.shape.text()),
              &call);
    return;
  }
  const bool stem_replaced =
      model.attributes.contains("conv1") || model.attributes.contains("features");
  const Dim channels = input.shape.at(1);
  if (!stem_replaced && channels.constant() && !channels.is(3)) {
    m.problem(
        ProblemKind::features,
        call.span,
        format(
            "`{}` expects 3 channels, not the {} of {}", name, channels.text(), input.shape.text()),
        &call);
  }
}

static Ref apply(Machine& m, Call& call)
{
  Instance* const model = call.layer;
  const Backbone* const backbone = find_backbone(model);
  Tensor* const input = call.input();
  if (backbone == nullptr || input == nullptr) {
    return m.unknown();
  }
  check_input(m, call, *input, *model);
  if (backbone->auxiliary) {
    return m.unknown(); // a tuple while training, one tensor otherwise
  }
  const Dim batch = input->shape.rank() == 4 ? input->shape.at(0) : Dim::top();
  const Ref replaced = find_attribute(*model, attribute_of(backbone->head));
  if (replaced == nullptr) {
    return logits(m, call, Shape::of({batch, m.to_dim(classes_of(m, *model))}));
  }
  if (backbone->head == Head::squeezenet) {
    return logits(m, call, Shape::of_rank(2).with(0, batch));
  }
  const bool maps = backbone->head == Head::convnext;
  const Shape shape =
      maps ? Shape::of(
                 {batch, Dim::constant(backbone->features), Dim::constant(1), Dim::constant(1)})
           : Shape::of({batch, Dim::constant(backbone->features)});
  return m.apply(replaced, {logits(m, call, shape)}, call.span);
}

static Ref module_by_name(Machine& m, Call& call)
{
  const auto name = m.to_string(call.arg("name"));
  const std::string path = "torchvision.models." + (name ? std::string(*name) : std::string());
  return name && find_api(path) != nullptr ? m.call_api(path, call.surplus, call.span)
                                           : m.unknown();
}

static constexpr std::string_view k_base = "torchvision.models.Backbone";
static constexpr std::string_view k_make =
    "pretrained=False, progress=True, *, weights=None, num_classes=1000, **kwargs";
static constexpr std::string_view k_any = "*args, **kwargs";

#define FL_BACKBONE(name)                                                                          \
  {                                                                                                \
    "torchvision.models." name, k_make, Role::model, "backbone", k_learning, apply, k_base         \
  }
#define FL_WEIGHTS(name)                                                                           \
  {                                                                                                \
    "torchvision.models." name "_Weights", "", Role::object                                        \
  }

static constexpr Api k_rows[] = {
    {k_base, k_any, Role::model, "backbone", k_learning, apply, "torch.nn.Module"},
    {"torchvision.models.Backbone.fc", "", Role::attribute, {}, 0, head},
    {"torchvision.models.Backbone.classifier", "", Role::attribute, {}, 0, head},
    {"torchvision.models.Backbone.head", "", Role::attribute, {}, 0, head},
    {"torchvision.models.Backbone.heads", "", Role::attribute, {}, 0, head},
    {"torchvision.models.Backbone.__getattr__", "name", Role::method},
    {"torchvision.models.get_model", "name, **kwargs", Role::function, {}, 0, module_by_name},
    {"torchvision.models.list_models", k_any, Role::opaque},
    {"torchvision.models.get_weight", k_any, Role::opaque},
    {"torchvision.models.get_model_weights", k_any, Role::opaque},
    {"torchvision.models.__dict__", "", Role::constant},
    {"torchvision.models.ResNet", k_any, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.VGG", k_any, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.AlexNet", k_any, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.DenseNet", k_any, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.MobileNetV2", k_any, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.resnet.Bottleneck", k_any, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.resnet.BasicBlock", k_any, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.resnet.model_urls", "", Role::constant},
    {"torchvision.models.vgg.model_urls", "", Role::constant},
    {"torchvision.models.segmentation.fcn_resnet50",
     k_any,
     Role::model,
     {},
     k_learning,
     nullptr,
     k_base},
    {"torchvision.models.segmentation.fcn_resnet101",
     k_any,
     Role::model,
     {},
     k_learning,
     nullptr,
     k_base},
    {"torchvision.models.segmentation.deeplabv3_resnet50",
     k_any,
     Role::model,
     {},
     k_learning,
     nullptr,
     k_base},
    {"torchvision.models.segmentation.deeplabv3_resnet101",
     k_any,
     Role::model,
     {},
     k_learning,
     nullptr,
     k_base},
    {"torchvision.models.detection.fasterrcnn_resnet50_fpn",
     k_any,
     Role::model,
     {},
     k_learning,
     nullptr,
     k_base},
    {"torchvision.models.detection.maskrcnn_resnet50_fpn",
     k_any,
     Role::model,
     {},
     k_learning,
     nullptr,
     k_base},
    {"torchvision.models.detection.retinanet_resnet50_fpn",
     k_any,
     Role::model,
     {},
     k_learning,
     nullptr,
     k_base},
    {"torchvision.models.detection.ssd300_vgg16",
     k_any,
     Role::model,
     {},
     k_learning,
     nullptr,
     k_base},
    {"torchvision.models.detection.FasterRCNN",
     k_any,
     Role::model,
     {},
     k_learning,
     nullptr,
     k_base},
    {"torchvision.models.detection.MaskRCNN", k_any, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.detection.rpn.AnchorGenerator", k_any, Role::object},
    {"torchvision.models.detection.faster_rcnn.FastRCNNPredictor", k_any, Role::object},
    {"torchvision.models.detection.mask_rcnn.MaskRCNNPredictor", k_any, Role::object},
    {"torchvision.models.video.r3d_18", k_any, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.video.r2plus1d_18", k_any, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.feature_extraction.create_feature_extractor", k_any, Role::function},
    {"torchvision.models.feature_extraction.get_graph_node_names", k_any, Role::opaque},
    {"torchvision.models._utils.IntermediateLayerGetter", k_any, Role::function},
    {"torchvision.models.regnet_y_400mf", k_make, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.regnet_y_16gf", k_make, Role::model, {}, k_learning, nullptr, k_base},
    {"torchvision.models.maxvit_t", k_make, Role::model, {}, k_learning, nullptr, k_base},
    FL_BACKBONE("resnet18"),
    FL_BACKBONE("resnet34"),
    FL_BACKBONE("resnet50"),
    FL_BACKBONE("resnet101"),
    FL_BACKBONE("resnet152"),
    FL_BACKBONE("resnext50_32x4d"),
    FL_BACKBONE("resnext101_32x8d"),
    FL_BACKBONE("resnext101_64x4d"),
    FL_BACKBONE("wide_resnet50_2"),
    FL_BACKBONE("wide_resnet101_2"),
    FL_BACKBONE("shufflenet_v2_x0_5"),
    FL_BACKBONE("shufflenet_v2_x1_0"),
    FL_BACKBONE("shufflenet_v2_x1_5"),
    FL_BACKBONE("shufflenet_v2_x2_0"),
    FL_BACKBONE("googlenet"),
    FL_BACKBONE("inception_v3"),
    FL_BACKBONE("densenet121"),
    FL_BACKBONE("densenet161"),
    FL_BACKBONE("densenet169"),
    FL_BACKBONE("densenet201"),
    FL_BACKBONE("vgg11"),
    FL_BACKBONE("vgg11_bn"),
    FL_BACKBONE("vgg13"),
    FL_BACKBONE("vgg13_bn"),
    FL_BACKBONE("vgg16"),
    FL_BACKBONE("vgg16_bn"),
    FL_BACKBONE("vgg19"),
    FL_BACKBONE("vgg19_bn"),
    FL_BACKBONE("alexnet"),
    FL_BACKBONE("mobilenet_v2"),
    FL_BACKBONE("mobilenet_v3_large"),
    FL_BACKBONE("mobilenet_v3_small"),
    FL_BACKBONE("mnasnet0_5"),
    FL_BACKBONE("mnasnet1_0"),
    FL_BACKBONE("efficientnet_b0"),
    FL_BACKBONE("efficientnet_b1"),
    FL_BACKBONE("efficientnet_b2"),
    FL_BACKBONE("efficientnet_b3"),
    FL_BACKBONE("efficientnet_b4"),
    FL_BACKBONE("efficientnet_b5"),
    FL_BACKBONE("efficientnet_b6"),
    FL_BACKBONE("efficientnet_b7"),
    FL_BACKBONE("efficientnet_v2_s"),
    FL_BACKBONE("efficientnet_v2_m"),
    FL_BACKBONE("efficientnet_v2_l"),
    FL_BACKBONE("convnext_tiny"),
    FL_BACKBONE("convnext_small"),
    FL_BACKBONE("convnext_base"),
    FL_BACKBONE("convnext_large"),
    FL_BACKBONE("squeezenet1_0"),
    FL_BACKBONE("squeezenet1_1"),
    FL_BACKBONE("vit_b_16"),
    FL_BACKBONE("vit_b_32"),
    FL_BACKBONE("vit_l_16"),
    FL_BACKBONE("vit_l_32"),
    FL_BACKBONE("vit_h_14"),
    FL_BACKBONE("swin_t"),
    FL_BACKBONE("swin_s"),
    FL_BACKBONE("swin_b"),
    FL_WEIGHTS("AlexNet"),
    FL_WEIGHTS("ConvNeXt_Base"),
    FL_WEIGHTS("ConvNeXt_Small"),
    FL_WEIGHTS("ConvNeXt_Tiny"),
    FL_WEIGHTS("DenseNet121"),
    FL_WEIGHTS("DenseNet161"),
    FL_WEIGHTS("DenseNet169"),
    FL_WEIGHTS("DenseNet201"),
    FL_WEIGHTS("EfficientNet_B0"),
    FL_WEIGHTS("EfficientNet_B1"),
    FL_WEIGHTS("EfficientNet_B2"),
    FL_WEIGHTS("EfficientNet_B3"),
    FL_WEIGHTS("EfficientNet_B4"),
    FL_WEIGHTS("EfficientNet_B7"),
    FL_WEIGHTS("EfficientNet_V2_S"),
    FL_WEIGHTS("GoogLeNet"),
    FL_WEIGHTS("Inception_V3"),
    FL_WEIGHTS("MNASNet1_0"),
    FL_WEIGHTS("MobileNet_V2"),
    FL_WEIGHTS("MobileNet_V3_Large"),
    FL_WEIGHTS("MobileNet_V3_Small"),
    FL_WEIGHTS("ResNeXt50_32X4D"),
    FL_WEIGHTS("ResNet18"),
    FL_WEIGHTS("ResNet34"),
    FL_WEIGHTS("ResNet50"),
    FL_WEIGHTS("ResNet101"),
    FL_WEIGHTS("ResNet152"),
    FL_WEIGHTS("ShuffleNet_V2_X1_0"),
    FL_WEIGHTS("SqueezeNet1_0"),
    FL_WEIGHTS("SqueezeNet1_1"),
    FL_WEIGHTS("Swin_B"),
    FL_WEIGHTS("Swin_T"),
    FL_WEIGHTS("VGG11"),
    FL_WEIGHTS("VGG11_BN"),
    FL_WEIGHTS("VGG13"),
    FL_WEIGHTS("VGG16"),
    FL_WEIGHTS("VGG16_BN"),
    FL_WEIGHTS("VGG19"),
    FL_WEIGHTS("VGG19_BN"),
    FL_WEIGHTS("ViT_B_16"),
    FL_WEIGHTS("ViT_B_32"),
    FL_WEIGHTS("ViT_L_16"),
    FL_WEIGHTS("Wide_ResNet50_2"),
};

#undef FL_BACKBONE
#undef FL_WEIGHTS

std::span<const Api> torchvision_models()
{
  return k_rows;
}

} // namespace faultline::program
