// keras.Sequential, keras.Model and what can be asked of them.

#include "program/libraries/keras/models.hpp"

#include "base/format.hpp"
#include "program/libraries/keras/applications.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/model.hpp"
#include "program/libraries/keras/training.hpp"
#include "program/libraries/tensorflow/rows.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"
#include "program/values/classes.hpp"

namespace faultline::program {

namespace keras {

bool is_sequential(const Instance& model)
{
  return model.api != nullptr && model.api->op == "sequential";
}

bool is_subclassed(const Instance& model)
{
  return model.klass != nullptr && (find_in_class(*model.klass, "call") != nullptr ||
                                    find_in_class(*model.klass, "__call__") != nullptr);
}

std::vector<Tensor*> tensors_in(Machine& machine, Ref value)
{
  std::vector<Tensor*> tensors;
  if (value == nullptr) {
    return tensors;
  }
  if (const auto* list = as<Sequence>(value)) {
    for (const Ref item : list->items) {
      if (Tensor* tensor = machine.to_tensor(item)) {
        tensors.push_back(tensor);
      }
    }
  } else if (const auto* dict = as<Dict>(value)) {
    for (const auto& [key, item] : dict->items) {
      if (Tensor* tensor = machine.to_tensor(item)) {
        tensors.push_back(tensor);
      }
    }
  } else if (Tensor* tensor = machine.to_tensor(value)) {
    tensors.push_back(tensor);
  }
  return tensors;
}

Ends ends_of(Machine& machine, Instance& model)
{
  if (is_subclassed(model)) {
    Ends ends;
    if (!model.applied.empty()) {
      ends.outputs = tensors_in(machine, model.applied.back()->result);
    }
    return ends;
  }
  if (is_sequential(model)) {
    return sequential_ends(machine, model);
  }
  if (is_pretrained(model)) {
    const PretrainedEnds ends = pretrained_ends(machine, model);
    return {{ends.input}, {ends.output}};
  }
  if (model.made_by == nullptr) {
    return {};
  }
  modernise(machine, *model.made_by);
  return {tensors_in(machine, model.made_by->arg("inputs")),
          tensors_in(machine, model.made_by->arg("outputs"))};
}

Layers layers_of(Machine& machine, Instance& model)
{
  if (is_pretrained(model)) {
    return {{}, false};
  }
  if (is_sequential(model) && !is_subclassed(model)) {
    Layers layers;
    for (const Ref item : sequential_layers(machine, model)) {
      if (as<Tensor>(item) == nullptr) {
        layers.items.push_back(item);
      }
    }
    return layers;
  }
  const Ends ends = ends_of(machine, model);
  return {functional_layers(ends), !ends.outputs.empty() && !is_subclassed(model)};
}

void build(Machine& machine, Instance& model, const std::vector<Tensor*>& data, Span span)
{
  if (!is_sequential(model) || is_subclassed(model)) {
    return;
  }
  Tensor* input = nullptr;
  if (data.size() == 1) {
    const Tensor& x = *data.front();
    input = machine.data(Library::keras,
                         x.shape.rank() >= 1 ? x.shape.with(0, Dim::batch()) : x.shape,
                         DType::Kind::float32,
                         x.interval);
    input->origin = span;
    input->encoding = x.encoding;
    input->source = x.source;
    input->requires_grad = Truth::no;
  }
  extend(machine, model, input);
}

} // namespace keras

namespace {

using keras::Ends;
using tf::attribute;

Instance* self(const Call& call)
{
  return as<Instance>(call.self);
}

Ref one_or_list(Machine& machine, const std::vector<Tensor*>& tensors)
{
  if (tensors.empty()) {
    return machine.unknown();
  }
  if (tensors.size() == 1) {
    return tensors.front();
  }
  return machine.list({tensors.begin(), tensors.end()});
}

Ref add(Machine& machine, Call& call)
{
  Instance* model = self(call);
  const Ref layer = call.arg("layer");
  if (model != nullptr && layer != nullptr) {
    keras::add_layer(machine, *model, layer);
  }
  return machine.none();
}

Ref pop(Machine& machine, Call& call)
{
  if (Instance* model = self(call)) {
    keras::drop_layer(machine, *model);
  }
  return machine.none();
}

Ref build_method(Machine& machine, Call& call)
{
  Instance* model = self(call);
  if (model != nullptr && keras::is_sequential(*model) && !keras::is_subclassed(*model)) {
    const Shape shape = tf::shape_of(machine, call.arg("input_shape"), true);
    Tensor* input = machine.data(Library::keras, shape, DType::Kind::float32, Interval::top());
    input->origin = call.span;
    keras::extend(machine, *model, input);
  }
  return machine.none();
}

// super().__init__(…) of a class that derives from a model.
Ref initialise(Machine& machine, Call& call)
{
  if (Instance* model = self(call); model != nullptr && model->made_by == nullptr) {
    model->made_by = &call;
  }
  return machine.none();
}

Ref input(Machine& machine, Call& call)
{
  Instance* model = self(call);
  return model != nullptr ? one_or_list(machine, keras::ends_of(machine, *model).inputs)
                          : machine.unknown();
}

Ref output(Machine& machine, Call& call)
{
  Instance* model = self(call);
  return model != nullptr ? one_or_list(machine, keras::ends_of(machine, *model).outputs)
                          : machine.unknown();
}

Ref inputs(Machine& machine, Call& call)
{
  Instance* model = self(call);
  const Ends ends = model != nullptr ? keras::ends_of(machine, *model) : Ends{};
  return ends.inputs.empty() ? machine.unknown()
                             : machine.list({ends.inputs.begin(), ends.inputs.end()});
}

Ref outputs(Machine& machine, Call& call)
{
  Instance* model = self(call);
  const Ends ends = model != nullptr ? keras::ends_of(machine, *model) : Ends{};
  return ends.outputs.empty() ? machine.unknown()
                              : machine.list({ends.outputs.begin(), ends.outputs.end()});
}

// (None, 28, 28, 1)
Ref shape_tuple(Machine& machine, const Shape& shape)
{
  if (!shape.has_rank()) {
    return machine.unknown();
  }
  std::vector<Ref> sizes;
  for (const Dim& dim : shape.dims()) {
    sizes.push_back(dim == Dim::batch() ? machine.none() : machine.integer(dim));
  }
  return machine.tuple(std::move(sizes));
}

Ref input_shape(Machine& machine, Call& call)
{
  const auto* tensor = as<Tensor>(input(machine, call));
  return tensor != nullptr ? shape_tuple(machine, tensor->shape) : machine.unknown();
}

Ref output_shape(Machine& machine, Call& call)
{
  const auto* tensor = as<Tensor>(output(machine, call));
  return tensor != nullptr ? shape_tuple(machine, tensor->shape) : machine.unknown();
}

Ref layers(Machine& machine, Call& call)
{
  Instance* model = self(call);
  if (model == nullptr) {
    return machine.unknown();
  }
  keras::Layers found = keras::layers_of(machine, *model);
  Sequence* list = machine.list(std::move(found.items));
  list->open = !found.all;
  list->rest = found.all ? nullptr : machine.unknown();
  return list;
}

Ref get_layer(Machine& machine, Call& call)
{
  Instance* model = self(call);
  if (model == nullptr) {
    return machine.unknown();
  }
  const keras::Layers found = keras::layers_of(machine, *model);
  const auto index = machine.to_int(call.arg("index"));
  if (index && found.all && *index >= 0 && static_cast<size_t>(*index) < found.items.size()) {
    return found.items[static_cast<size_t>(*index)];
  }
  const auto name = machine.to_string(call.arg("name"));
  for (const Ref item : found.items) {
    const auto* layer = as<Instance>(item);
    if (!name || layer == nullptr || layer->made_by == nullptr) {
      continue;
    }
    const Argument* own = layer->made_by->given("name");
    own = own != nullptr ? own : layer->made_by->keyword("name");
    if (own != nullptr && machine.to_string(own->value) == name) {
      return item;
    }
  }
  return machine.unknown();
}

Ref optimizer(Machine& machine, Call& call)
{
  static_cast<void>(call);
  return machine.unknown();
}

// A model of which only the class is known: from a file.
Ref loaded(Machine& machine, Call& call)
{
  return machine.instance(*find_api("keras.Model"), &call);
}

Ref clone(Machine& machine, Call& call)
{
  auto* model = as<Instance>(call.arg("model"));
  if (model == nullptr || model->api == nullptr || model->klass != nullptr) {
    return machine.unknown();
  }
  Instance* copy = machine.instance(*model->api, model->made_by);
  if (keras::is_sequential(*model)) {
    for (const Ref layer : keras::sequential_layers(machine, *model)) {
      keras::add_layer(machine, *copy, layer);
    }
  }
  return copy;
}

constexpr std::string_view k_fit =
    "x=None, y=None, batch_size=None, epochs=1, verbose='auto', callbacks=None, "
    "validation_split=0.0, validation_data=None, shuffle=True, class_weight=None, "
    "sample_weight=None, initial_epoch=0, steps_per_epoch=None, validation_steps=None, "
    "validation_batch_size=None, validation_freq=1, max_queue_size=10, workers=1, "
    "use_multiprocessing=False, **kwargs";
constexpr std::string_view k_fit_generator =
    "generator, steps_per_epoch=None, epochs=1, verbose=1, callbacks=None, validation_data=None, "
    "validation_steps=None, validation_freq=1, class_weight=None, max_queue_size=10, workers=1, "
    "use_multiprocessing=False, shuffle=True, initial_epoch=0, **kwargs";
constexpr std::string_view k_compile =
    "optimizer='rmsprop', loss=None, metrics=None, loss_weights=None, weighted_metrics=None, "
    "run_eagerly=None, steps_per_execution=None, **kwargs";

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"keras.Model", "inputs=None, outputs=None, name=None, **kwargs", Role::model, "model", 0, keras::apply_functional, "keras.layers.Layer"},
    {"keras.Sequential", "layers=None, name=None, **kwargs", Role::model, "sequential", 0, keras::apply_sequential, "keras.Model"},
    {"keras.Model.__init__", "inputs=None, outputs=None, name=None, **kwargs", Role::method, {}, 0, initialise},
    {"keras.Sequential.__init__", "layers=None, name=None, **kwargs", Role::method, {}, 0, initialise},
    {"keras.Sequential.add", "layer, **kwargs", Role::method, "add_layer", 0, add},
    {"keras.Sequential.pop", "rebuild=True", Role::method, {}, 0, pop},
    {"keras.Model.build", "input_shape=None", Role::method, {}, 0, build_method},
    {"keras.Model.compile", k_compile, Role::method, "compile", 0, keras::compile},
    {"keras.Model.fit", k_fit, Role::method, "fit", 0, keras::fit},
    {"keras.Model.fit_generator", k_fit_generator, Role::method, "fit", 0, keras::fit},
    {"keras.Model.train_on_batch", "x, y=None, sample_weight=None, class_weight=None, reset_metrics=True, return_dict=False, **kwargs", Role::method, "train_on_batch", 0, keras::fit},
    {"keras.Model.evaluate", "x=None, y=None, batch_size=None, verbose='auto', sample_weight=None, steps=None, callbacks=None, **kwargs", Role::method, "evaluate", 0, keras::evaluate},
    {"keras.Model.evaluate_generator", "generator, steps=None, callbacks=None, max_queue_size=10, workers=1, use_multiprocessing=False, verbose=0, **kwargs", Role::method, "evaluate", 0, keras::evaluate},
    {"keras.Model.test_on_batch", "x, y=None, sample_weight=None, **kwargs", Role::method, "evaluate", 0, keras::evaluate},
    {"keras.Model.predict", "x, batch_size=None, verbose='auto', steps=None, callbacks=None, **kwargs", Role::method, "predict", k_no_gradient, keras::predict},
    {"keras.Model.predict_generator", "generator, steps=None, callbacks=None, max_queue_size=10, workers=1, use_multiprocessing=False, verbose=0, **kwargs", Role::method, "predict", k_no_gradient, keras::predict},
    {"keras.Model.predict_on_batch", "x", Role::method, "predict", k_no_gradient, keras::predict},
    {"keras.Model.predict_proba", "x, batch_size=None, verbose=0", Role::method, "predict", k_no_gradient, keras::predict},
    {"keras.Model.predict_classes", "x, batch_size=None, verbose=0", Role::method, "predict", k_no_gradient, keras::predict_classes},
    {"keras.Model.summary", "line_length=None, positions=None, print_fn=None, **kwargs", Role::method, "summary", 0, tf::nothing},
    {"keras.Model.get_layer", "name=None, index=None", Role::method, {}, 0, get_layer},
    {"keras.Model.save", "filepath, overwrite=True, **kwargs", Role::method, "save", 0, tf::nothing},
    {"keras.Model.export", "filepath, **kwargs", Role::method, "save", 0, tf::nothing},
    {"keras.Model.save_weights", "filepath, overwrite=True, **kwargs", Role::method, "save", 0, tf::nothing},
    {"keras.Model.load_weights", "filepath, by_name=False, skip_mismatch=False, **kwargs", Role::method, "load_weights", 0, tf::nothing},
    {"keras.Model.to_json", "**kwargs", Role::opaque},
    {"keras.Model.to_yaml", "**kwargs", Role::opaque},
    {"keras.Model.get_config", "", Role::opaque},
    {"keras.Model.from_config", "config, custom_objects=None", Role::opaque},
    {"keras.Model.reset_states", "", Role::opaque},
    {"keras.Model.reset_metrics", "", Role::opaque},
    {"keras.Model.make_train_function", "force=False", Role::opaque},
    {"keras.Model.make_predict_function", "force=False", Role::opaque},
    {"keras.Model._make_predict_function", "", Role::opaque},
    {"keras.Model._make_train_function", "", Role::opaque},
    {"keras.Model.compiled_loss", "y_true, y_pred, **kwargs", Role::opaque},
    {"keras.Model.compiled_metrics", {}, Role::attribute},
    {"keras.Model.compute_loss", "x=None, y=None, y_pred=None, sample_weight=None, **kwargs", Role::opaque},
    {"keras.Model.compute_metrics", "x, y, y_pred, sample_weight=None", Role::opaque},
    {"keras.Model.train_step", "data", Role::opaque},
    {"keras.Model.test_step", "data", Role::opaque},
    {"keras.Model.predict_step", "data", Role::opaque},
    attribute("keras.Model.input", input),
    attribute("keras.Model.output", output),
    attribute("keras.Model.inputs", inputs),
    attribute("keras.Model.outputs", outputs),
    attribute("keras.Model.input_shape", input_shape),
    attribute("keras.Model.output_shape", output_shape),
    attribute("keras.Model.layers", layers),
    attribute("keras.Model.optimizer", optimizer),
    {"keras.Model.loss", {}, Role::attribute},
    {"keras.Model.metrics", {}, Role::attribute},
    {"keras.Model.metrics_names", {}, Role::attribute},
    {"keras.Model.history", {}, Role::attribute},
    {"keras.Model.stop_training", {}, Role::attribute},
    {"keras.Model.run_eagerly", {}, Role::attribute},
    {"keras.Model.total_loss", {}, Role::attribute},
    {"keras.Model.targets", {}, Role::attribute},
    {"keras.Model.sample_weights", {}, Role::attribute},
    {"keras.Model.state_updates", {}, Role::attribute},
    {"keras.Model.input_names", {}, Role::attribute},
    {"keras.Model.output_names", {}, Role::attribute},
    {"keras.Model.distribute_strategy", {}, Role::attribute},
    {"keras.models.load_model", "filepath, custom_objects=None, compile=True, **kwargs", Role::function, "load_model", 0, loaded},
    {"keras.models.model_from_json", "json_string, custom_objects=None", Role::function, "load_model", 0, loaded},
    {"keras.models.model_from_yaml", "yaml_string, custom_objects=None", Role::function, "load_model", 0, loaded},
    {"keras.models.model_from_config", "config, custom_objects=None", Role::function, "load_model", 0, loaded},
    {"keras.models.clone_model", "model, input_tensors=None, clone_function=None", Role::function, {}, 0, clone},
    {"keras.models.save_model", "model, filepath, overwrite=True, **kwargs", Role::function, "save", 0, tf::nothing},
};
// clang-format on

} // namespace

void build_models(Machine& machine)
{
  const std::vector<Instance*> instances = machine.program().instances();
  for (Instance* model : instances) {
    if (model->api == nullptr || model->api->role != Role::model ||
        !model->api->name.starts_with("keras.")) {
      continue;
    }
    if (keras::is_sequential(*model) && !keras::is_subclassed(*model) && model->applied.empty()) {
      Tensor* input =
          machine.data(Library::keras, Shape::top(), DType::Kind::float32, Interval::top());
      keras::extend(machine, *model, input);
    }
    keras::note_unfitted(machine, *model);
  }
}

std::span<const Api> keras_models()
{
  return k_rows;
}

} // namespace faultline::program
