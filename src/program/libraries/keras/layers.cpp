#include "program/libraries/keras/layers.hpp"

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/tensorflow/tf.hpp"

namespace faultline::program::keras {

// An argument wherever it was bound: the signature's own or one that it collects.
static const Argument* find(const Call& call, std::string_view name)
{
  if (const Argument* bound = call.given(name)) {
    return bound;
  }
  return call.keyword(name);
}

static Dim batch_of(Machine& machine, const Call& call)
{
  const Argument* size = find(call, "batch_size");
  return size != nullptr && machine.to_int(size->value) ? machine.to_dim(size->value)
                                                        : Dim::batch();
}

std::optional<Declared> declared_input(Machine& machine, const Call& constructor)
{
  for (const std::string_view name : {"batch_input_shape", "batch_shape"}) {
    if (const Argument* whole = find(constructor, name);
        whole != nullptr && !machine.is_none(whole->value)) {
      return Declared{tf::shape_of(machine, whole->value, true), whole->span};
    }
  }
  for (const std::string_view name : {"input_shape", "shape"}) {
    if (const Argument* shape = find(constructor, name);
        shape != nullptr && !machine.is_none(shape->value)) {
      const Shape item = tf::shape_of(machine, shape->value);
      return Declared{Shape::of({batch_of(machine, constructor)}).plus(item), shape->span};
    }
  }
  const bool is_embedding = constructor.is("embedding");
  const Argument* width = is_embedding ? nullptr : find(constructor, "input_dim");
  const Argument* length = find(constructor, "input_length");
  if (is_embedding) {
    const Dim steps = length != nullptr ? machine.to_dim(length->value) : Dim::top();
    return Declared{Shape::of({batch_of(machine, constructor), steps}),
                    length != nullptr ? length->span : constructor.span};
  }
  if (width == nullptr || machine.is_none(width->value)) {
    return std::nullopt;
  }
  const Dim features = machine.to_dim(width->value);
  // Sequences, in Keras 1.
  if (constructor.has(k_recurrent) ||
      (constructor.has(k_convolution) && constructor.api->number == 1)) {
    const Dim steps = length != nullptr ? machine.to_dim(length->value) : Dim::top();
    return Declared{Shape::of({batch_of(machine, constructor), steps, features}), width->span};
  }
  return Declared{Shape::of({batch_of(machine, constructor), features}), width->span};
}

Tensor* input_tensor(Machine& machine, Call& call, const Call& settings)
{
  if (const Argument* tensor = find(settings, "tensor")) {
    if (Tensor* given = as<Tensor>(tensor->value)) {
      return given;
    }
  }
  const std::optional<Declared> declared = declared_input(machine, settings);
  const Argument* type = find(settings, "dtype");
  const DType dtype = type != nullptr && !machine.is_none(type->value)
                          ? tf::to_dtype(machine, type->value).value_or(DType())
                          : DType(DType::Kind::float32);
  Tensor* made = machine.tensor(call, declared ? declared->shape : Shape::top(), dtype);
  made->library = Library::keras;
  made->requires_grad = Truth::no;
  return made;
}

std::vector<Shape> weight_shapes(Machine& machine, const Instance& layer, const Tensor& input)
{
  if (layer.api == nullptr || layer.made_by == nullptr || layer.klass != nullptr) {
    return {};
  }
  const Call& made = *layer.made_by;
  const std::string_view op = layer.api->op;
  const bool with_bias = machine.truthiness(made.arg("use_bias")).value_or(true);
  std::vector<Shape> shapes;
  if (op == "embedding") {
    return {
        Shape::of({machine.to_dim(made.arg("input_dim")), machine.to_dim(made.arg("output_dim"))})};
  }
  if (layer.api->name == "keras.layers.Dense") {
    const Dim units = machine.to_dim(made.arg("units"));
    shapes.push_back(Shape::of({input.shape.at(-1), units}));
    if (with_bias) {
      shapes.push_back(Shape::of({units}));
    }
    return shapes;
  }
  if (op == "conv" && !layer.api->has(k_transposed)) {
    const auto kernel =
        machine.to_ints(made.arg("kernel_size"), static_cast<size_t>(layer.api->number));
    if (!kernel) {
      return {};
    }
    std::vector<Dim> dims;
    for (const int64_t size : *kernel) {
      dims.push_back(Dim::constant(size));
    }
    const Dim filters = machine.to_dim(made.arg("filters"));
    dims.push_back(input.shape.at(channels_first(machine, made) ? 1 : -1));
    dims.push_back(filters);
    shapes.push_back(Shape::of(std::move(dims)));
    if (with_bias) {
      shapes.push_back(Shape::of({filters}));
    }
  }
  return shapes;
}

void check_weights(
    Machine& machine, Call& call, const std::vector<Shape>& wanted, Ref given, Span span)
{
  const auto* list = as<Sequence>(given);
  if (wanted.empty() || list == nullptr || list->open) {
    return;
  }
  if (list->items.size() != wanted.size()) {
    machine.problem(ProblemKind::weights_shape,
                    span,
                    format("{} weight arrays are given, but the layer has {}",
                           list->items.size(),
                           wanted.size()),
                    &call);
    return;
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Tensor* weights = machine.to_tensor(list->items[i]);
    if (weights != nullptr && weights->shape.compare(wanted[i]) == Dim::Comparison::different) {
      machine.problem(ProblemKind::weights_shape,
                      span,
                      format("weights of shape {} are given, but the layer's are {}",
                             weights->shape.text(),
                             wanted[i].text()),
                      &call);
      return;
    }
  }
}

void check_given_weights(Machine& machine, Call& call, const Tensor& input)
{
  if (call.layer == nullptr || call.layer->made_by == nullptr) {
    return;
  }
  const Argument* weights = call.layer->made_by->keyword("weights");
  if (weights != nullptr) {
    check_weights(
        machine, call, weight_shapes(machine, *call.layer, input), weights->value, weights->span);
  }
}

void check_tokens(Machine& machine, Call& call, const Tensor& tokens)
{
  const auto rows = machine.to_int(call.setting_value("input_dim"));
  if (!rows || !tokens.interval.is_known() || tokens.interval.high() == Interval::k_inf ||
      tokens.interval.high() < static_cast<double>(*rows)) {
    return;
  }
  machine.problem(
      ProblemKind::embedding_range,
      place(call, "input_dim"),
      format("the table has {} rows, but indices go up to {}", *rows, tokens.interval.high()),
      &call);
}

Sliding sliding(Machine& machine, const Call& call, std::string_view kernel_name, size_t axes)
{
  Sliding result;
  const auto read = [&](std::string_view name,
                        int64_t fallback) -> std::optional<std::vector<int64_t>> {
    const Ref value = call.setting_value(name);
    if (value == nullptr || machine.is_none(value)) {
      return std::vector<int64_t>(axes, fallback);
    }
    return machine.to_ints(value, axes);
  };
  const Ref kernel = call.setting_value(kernel_name);
  result.kernel = kernel != nullptr ? machine.to_ints(kernel, axes) : std::nullopt;
  const Ref strides = call.setting_value("strides");
  const bool is_pooling = call.has(k_pooling);
  if (is_pooling && (strides == nullptr || machine.is_none(strides))) {
    result.strides = result.kernel;
  } else {
    result.strides = read("strides", 1);
  }
  result.dilation = read("dilation_rate", 1);
  const Ref padding = call.setting_value("padding");
  const auto way = machine.to_string(padding);
  if (!way && padding != nullptr) {
    return result;
  }
  const bool causal = way == "causal" || way == "CAUSAL";
  result.same = way == "same" || way == "SAME" || causal;
  if (!result.kernel || !result.strides || !result.dilation) {
    return result;
  }
  std::vector<Window> windows;
  for (size_t i = 0; i < axes; ++i) {
    windows.push_back({.kernel = (*result.kernel)[i],
                       .stride = (*result.strides)[i],
                       .dilation = (*result.dilation)[i],
                       .same = result.same});
  }
  result.windows = std::move(windows);
  return result;
}

Shape slid(Machine& machine,
           Call& call,
           const Tensor& input,
           const Sliding& way,
           size_t axes,
           std::optional<Dim> channels)
{
  const bool first = channels_first(machine, call);
  Shape shape = input.shape.has_rank() ? input.shape : Shape::of_rank(axes + 2);
  Shaped moved_windows = slide(shape, first ? 2 : 1, axes, way.windows);
  if (moved_windows.wrong) {
    moved_windows.wrong->message =
        format("`{}` does not fit: {}", short_name(call), moved_windows.wrong->message);
    tf::checked(machine, call, std::move(moved_windows), call.span);
    shape = Shape::of_rank(axes + 2).with(0, shape.at(0));
  } else {
    shape = moved_windows.shape;
  }
  return channels ? shape.with(first ? 1 : -1, *channels) : shape;
}

} // namespace faultline::program::keras
