// Sequential: layers in a row. With a declared input the layers are applied as they are added, as
// Keras does; without one, when the first data come.

#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/layers.hpp"
#include "program/libraries/keras/model.hpp"

namespace faultline::program::keras {

namespace {

// Kept as attributes, so that they follow the branches of the program. No Python name has a space.
constexpr std::string_view k_listed = "layers taken"; // from the constructor
constexpr std::string_view k_chain = "layer outputs"; // the input, then the output of each layer
constexpr std::string_view k_busy = "layers running"; // a model that holds itself would never end

Ref attribute(const Instance& model, std::string_view name)
{
  const auto found = model.attributes.find(name);
  return found != model.attributes.end() ? found->second : nullptr;
}

Sequence* chain_of(const Instance& model)
{
  return as<Sequence>(attribute(model, k_chain));
}

void start(Machine& machine, Instance& model, Tensor* input)
{
  machine.touch(model);
  model.attributes[k_chain] = machine.list({input});
}

// An Input written at `span`.
Tensor* make_input(Machine& machine, const Shape& shape, Span span)
{
  std::vector<Argument> arguments;
  if (shape.has_rank()) {
    std::vector<Ref> sizes;
    for (const Dim& dim : shape.dims()) {
      sizes.push_back(machine.integer(dim));
    }
    arguments.push_back({.name = "batch_shape",
                         .value = machine.tuple(std::move(sizes)),
                         .span = span,
                         .given = true});
  }
  return as<Tensor>(machine.call_api("keras.Input", std::move(arguments), span));
}

// What the first layer says about its input; null if nothing.
Tensor* declared(Machine& machine, Instance& model)
{
  if (model.items.empty()) {
    return nullptr;
  }
  if (auto* tensor = as<Tensor>(model.items.front())) {
    return tensor;
  }
  auto* first = as<Instance>(model.items.front());
  if (first == nullptr || first == &model || first->api == nullptr) {
    return nullptr;
  }
  if (first->api->role == Role::model) {
    const Ends ends = ends_of(machine, *first);
    return ends.inputs.size() == 1
               ? make_input(machine, ends.inputs.front()->shape, ends.inputs.front()->origin)
               : nullptr;
  }
  if (first->made_by == nullptr) {
    return nullptr;
  }
  modernise(machine, *first->made_by);
  const std::optional<Declared> input = declared_input(machine, *first->made_by);
  return input ? make_input(machine, input->shape, input->span) : nullptr;
}

Ref apply_layer(Machine& machine, Ref layer, Ref input)
{
  if (as<Tensor>(layer) != nullptr) { // Input(…) in the list
    return input;
  }
  const auto* object = as<Instance>(layer);
  const Span span =
      object != nullptr && object->made_by != nullptr ? object->made_by->span : layer->origin;
  const size_t first = machine.program().calls().size();
  const Ref output = machine.call(layer, std::vector<Ref>{input}, span);
  mark_built(output, first);
  return output;
}

} // namespace

std::vector<Ref>& sequential_layers(Machine& machine, Instance& model)
{
  if (attribute(model, k_listed) == nullptr) {
    machine.touch(model);
    model.attributes[k_listed] = machine.none();
    if (model.made_by != nullptr) {
      model.items = machine.items_of(model.made_by->arg("layers"));
    }
  }
  return model.items;
}

void extend(Machine& machine, Instance& model, Tensor* input)
{
  sequential_layers(machine, model);
  if (attribute(model, k_busy) != nullptr) {
    return;
  }
  if (chain_of(model) == nullptr) {
    Tensor* begin = declared(machine, model);
    begin = begin != nullptr ? begin : input;
    if (begin == nullptr) {
      return;
    }
    start(machine, model, begin);
  }
  machine.touch(model);
  model.attributes[k_busy] = machine.none();
  Sequence* chain = chain_of(model);
  while (chain->items.size() <= model.items.size()) {
    const Ref output =
        apply_layer(machine, model.items[chain->items.size() - 1], chain->items.back());
    machine.touch(*chain);
    chain->items.push_back(output);
  }
  model.attributes.erase(k_busy);
}

void add_layer(Machine& machine, Instance& model, Ref layer)
{
  std::vector<Ref>& layers = sequential_layers(machine, model);
  machine.touch(model);
  layers.push_back(layer);
  extend(machine, model, nullptr);
}

void drop_layer(Machine& machine, Instance& model)
{
  std::vector<Ref>& layers = sequential_layers(machine, model);
  if (layers.empty()) {
    return;
  }
  machine.touch(model);
  layers.pop_back();
  if (Sequence* chain = chain_of(model);
      chain != nullptr && chain->items.size() > layers.size() + 1) {
    machine.touch(*chain);
    chain->items.resize(layers.size() + 1);
  }
}

Ends sequential_ends(Machine& machine, Instance& model)
{
  extend(machine, model, nullptr);
  Ends ends;
  if (const Sequence* chain = chain_of(model)) {
    ends.inputs = tensors_in(machine, chain->items.front());
    ends.outputs = tensors_in(machine, chain->items.back());
  }
  return ends;
}

Ref apply_sequential(Machine& machine, Call& call)
{
  Instance& model = *call.layer;
  Tensor* input = begin(machine, call);
  const bool is_first = chain_of(model) == nullptr;
  extend(machine, model, input);
  const Sequence* chain = chain_of(model);
  if (attribute(model, k_busy) != nullptr || chain == nullptr) {
    return machine.unknown();
  }
  if (is_first && chain->items.front() == input) {
    return chain->items.back();
  }
  machine.touch(model);
  model.attributes[k_busy] = machine.none();
  Ref value = input;
  const std::vector<Ref> layers = model.items;
  for (const Ref layer : layers) {
    value = apply_layer(machine, layer, value);
  }
  model.attributes.erase(k_busy);
  return value;
}

} // namespace faultline::program::keras
