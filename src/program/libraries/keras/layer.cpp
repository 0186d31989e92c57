// What every Keras layer has, and what a class that derives from Layer can call.

#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/layers.hpp"
#include "program/libraries/keras/model.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/libraries/tensorflow/rows.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

using tf::attribute;

Instance* self(const Call& call)
{
  return as<Instance>(call.self);
}

Tensor* weight(Machine& machine, Call& call, Shape shape, bool trainable = true)
{
  Tensor* made = machine.tensor(call,
                                std::move(shape),
                                DType::Kind::float32,
                                trainable ? Interval::reals() : Interval::top());
  made->library = Library::tensorflow;
  made->requires_grad = trainable ? Truth::yes : Truth::no;
  made->leaf = Truth::yes;
  return made;
}

// add_weight(name, shape) in Keras 2, add_weight(shape) in Keras 3.
Ref add_weight(Machine& machine, Call& call)
{
  Ref shape = nullptr;
  for (const std::string_view name : {"shape", "name"}) {
    const Ref value = call.arg(name);
    if (value != nullptr && !machine.is_none(value) && value->kind != Kind::text &&
        !machine.to_string(value)) {
      shape = value;
      break;
    }
  }
  const bool trainable = machine.truthiness(call.arg("trainable")).value_or(true);
  return weight(
      machine, call, shape != nullptr ? tf::shape_of(machine, shape) : Shape::scalar(), trainable);
}

std::vector<Shape> shapes_of(Machine& machine, const Instance& layer)
{
  if (layer.applied.empty() || layer.applied.front()->input() == nullptr) {
    return {};
  }
  return keras::weight_shapes(machine, layer, *layer.applied.front()->input());
}

Ref weights(Machine& machine, Call& call)
{
  const Instance* layer = self(call);
  const std::vector<Shape> shapes =
      layer != nullptr ? shapes_of(machine, *layer) : std::vector<Shape>{};
  if (shapes.empty()) {
    return machine.open_list(weight(machine, call, Shape::top()));
  }
  std::vector<Ref> items;
  for (const Shape& shape : shapes) {
    items.push_back(weight(machine, call, shape));
  }
  return machine.list(std::move(items));
}

Ref get_weights(Machine& machine, Call& call)
{
  const Ref list = weights(machine, call);
  const auto as_array = [](Ref value) {
    if (auto* tensor = as<Tensor>(value)) {
      tensor->library = Library::numpy;
      tensor->requires_grad = Truth::no;
    }
  };
  auto* sequence = as<Sequence>(list);
  for (const Ref item : sequence->items) {
    as_array(item);
  }
  as_array(sequence->rest);
  return list;
}

Ref set_weights(Machine& machine, Call& call)
{
  const Instance* layer = self(call);
  const Argument* given = call.argument("weights");
  if (layer != nullptr && given != nullptr) {
    keras::check_weights(machine, call, shapes_of(machine, *layer), given->value, given->span);
  }
  return machine.none();
}

Ref kernel(Machine& machine, Call& call)
{
  const Instance* layer = self(call);
  const std::vector<Shape> shapes =
      layer != nullptr ? shapes_of(machine, *layer) : std::vector<Shape>{};
  return weight(machine, call, shapes.empty() ? Shape::top() : shapes.front());
}

Ref bias(Machine& machine, Call& call)
{
  const Instance* layer = self(call);
  const std::vector<Shape> shapes =
      layer != nullptr ? shapes_of(machine, *layer) : std::vector<Shape>{};
  return weight(machine, call, shapes.size() > 1 ? shapes[1] : Shape::of_rank(1));
}

Ref end_shape(Machine& machine, const Call& call, std::string_view end)
{
  const Instance* layer = self(call);
  if (layer == nullptr) {
    return machine.unknown();
  }
  const auto found = layer->attributes.find(end);
  const auto* tensor = found != layer->attributes.end() ? as<Tensor>(found->second) : nullptr;
  if (tensor == nullptr || !tensor->shape.has_rank()) {
    return machine.unknown();
  }
  std::vector<Ref> sizes;
  for (const Dim& dim : tensor->shape.dims()) {
    sizes.push_back(dim == Dim::batch() ? machine.none() : machine.integer(dim));
  }
  return machine.tuple(std::move(sizes));
}

Ref input_shape(Machine& machine, Call& call)
{
  return end_shape(machine, call, "input");
}

Ref output_shape(Machine& machine, Call& call)
{
  return end_shape(machine, call, "output");
}

// The last output stands for all.
Ref applied_output(Machine& machine, Call& call)
{
  const Instance* layer = self(call);
  const auto found = layer != nullptr ? layer->attributes.find("output")
                                      : std::map<std::string_view, Ref>::const_iterator{};
  return layer != nullptr && found != layer->attributes.end() ? found->second : machine.unknown();
}

// `dense.units`: the constructor's argument.
Ref units(Machine& machine, Call& call)
{
  const Instance* layer = self(call);
  const std::string_view name = keras::short_name(call);
  if (layer == nullptr || layer->made_by == nullptr) {
    return machine.unknown();
  }
  const Ref value = layer->made_by->arg(name);
  return value != nullptr ? value : machine.unknown();
}

Ref losses(Machine& machine, Call& call)
{
  Tensor* penalty =
      machine.tensor(call, Shape::scalar(), DType::Kind::float32, Interval::of(0, Interval::k_inf));
  penalty->library = Library::tensorflow;
  return machine.open_list(penalty);
}

Ref initialise(Machine& machine, Call& call)
{
  if (Instance* layer = self(call); layer != nullptr && layer->made_by == nullptr) {
    layer->made_by = &call;
  }
  return machine.none();
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"keras.layers.Layer", "trainable=True, name=None, dtype=None, dynamic=False, **kwargs", Role::layer, "layer"},
    {"keras.layers.Layer.__init__", "trainable=True, name=None, dtype=None, dynamic=False, **kwargs", Role::method, {}, 0, initialise},
    {"keras.layers.Layer.add_weight", "name=None, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True, constraint=None, **kwargs", Role::method, "parameter", k_source, add_weight},
    {"keras.layers.Layer.add_variable", "name=None, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True, constraint=None, **kwargs", Role::method, "parameter", k_source, add_weight},
    {"keras.layers.Layer.add_loss", "losses, inputs=None, **kwargs", Role::method, "add_loss", 0, tf::nothing},
    {"keras.layers.Layer.add_metric", "value, name=None, **kwargs", Role::method, {}, 0, tf::nothing},
    {"keras.layers.Layer.add_update", "updates, inputs=None", Role::method, {}, 0, tf::nothing},
    {"keras.layers.Layer.adapt", "data, batch_size=None, steps=None", Role::method, "adapt", 0, tf::nothing},
    {"keras.layers.Layer.get_vocabulary", "**kwargs", Role::opaque},
    {"keras.layers.Layer.set_vocabulary", "vocabulary, **kwargs", Role::opaque},
    {"keras.layers.Layer.vocabulary_size", "", Role::opaque},
    {"keras.layers.Layer.get_weights", "", Role::method, {}, 0, get_weights},
    {"keras.layers.Layer.set_weights", "weights", Role::method, "set_weights", 0, set_weights},
    {"keras.layers.Layer.count_params", "", Role::method, {}, 0, answers::count},
    {"keras.layers.Layer.get_config", "", Role::opaque},
    {"keras.layers.Layer.from_config", "config", Role::opaque},
    {"keras.layers.Layer.build", "input_shape=None", Role::method, {}, 0, tf::nothing},
    {"keras.layers.Layer.call", "inputs, **kwargs", Role::opaque},
    {"keras.layers.Layer.compute_output_shape", "input_shape", Role::opaque},
    {"keras.layers.Layer.compute_mask", "inputs, mask=None", Role::opaque},
    {"keras.layers.Layer.reset_states", "states=None", Role::opaque},
    {"keras.layers.Layer.get_output_at", "node_index", Role::method, {}, 0, applied_output},
    {"keras.layers.Layer.get_input_at", "node_index", Role::opaque},
    {"keras.layers.Layer.get_output_shape_at", "node_index", Role::opaque},
    {"keras.layers.Layer.get_input_shape_at", "node_index", Role::opaque},
    attribute("keras.layers.Layer.weights", weights),
    attribute("keras.layers.Layer.variables", weights),
    attribute("keras.layers.Layer.trainable_weights", weights),
    attribute("keras.layers.Layer.trainable_variables", weights),
    attribute("keras.layers.Layer.non_trainable_weights", weights),
    attribute("keras.layers.Layer.non_trainable_variables", weights),
    attribute("keras.layers.Layer.kernel", kernel),
    attribute("keras.layers.Layer.bias", bias),
    attribute("keras.layers.Layer.embeddings", kernel),
    attribute("keras.layers.Layer.W", kernel),
    attribute("keras.layers.Layer.b", bias),
    attribute("keras.layers.Layer.gamma"),
    attribute("keras.layers.Layer.beta"),
    attribute("keras.layers.Layer.input"),
    attribute("keras.layers.Layer.output"),
    attribute("keras.layers.Layer.input_shape", input_shape),
    attribute("keras.layers.Layer.output_shape", output_shape),
    attribute("keras.layers.Layer.units", units),
    attribute("keras.layers.Layer.filters", units),
    attribute("keras.layers.Layer.rate", units),
    attribute("keras.layers.Layer.kernel_size", units),
    attribute("keras.layers.Layer.strides", units),
    attribute("keras.layers.Layer.padding", units),
    attribute("keras.layers.Layer.activation", units),
    attribute("keras.layers.Layer.kernel_regularizer", units),
    attribute("keras.layers.Layer.cell"),
    attribute("keras.layers.Layer.layer", units),
    attribute("keras.layers.Layer.states"),
    attribute("keras.layers.Layer.stateful"),
    attribute("keras.layers.Layer.losses", losses),
    attribute("keras.layers.Layer.updates"),
    attribute("keras.layers.Layer.metrics"),
    attribute("keras.layers.Layer.name"),
    attribute("keras.layers.Layer.dtype"),
    attribute("keras.layers.Layer.trainable"),
    attribute("keras.layers.Layer.built"),
    attribute("keras.layers.Layer.input_spec"),
    attribute("keras.layers.Layer.supports_masking"),
    attribute("keras.layers.Layer.inbound_nodes"),
    attribute("keras.layers.Layer.outbound_nodes"),
    attribute("keras.layers.Layer._inbound_nodes"),
    attribute("keras.layers.Layer._outbound_nodes"),
    attribute("keras.layers.Layer._name"),
    attribute("keras.layers.Layer.compute_dtype"),
    {"keras.layers.InputSpec", "dtype=None, shape=None, ndim=None, **kwargs", Role::object},
};
// clang-format on

} // namespace

std::span<const Api> keras_layer()
{
  return k_rows;
}

} // namespace faultline::program
