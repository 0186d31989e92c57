#include "layers.hpp"

#include <torch/ordered_dict.h>

#include <algorithm>

namespace faultline_watch {

namespace {

// A program may ask for parameters in every step; names do not change after some.
constexpr int k_most_walks = 50;
constexpr size_t k_most_functions = 256;

const void* storage_of(const at::Tensor& tensor)
{
  return tensor.defined() && tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl()
                                                  : nullptr;
}

} // namespace

at::Tensor Parameter::lock() const
{
  c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> found = tensor.lock();
  return found ? at::Tensor(std::move(found)) : at::Tensor();
}

std::string kind_of_module(const std::string& type)
{
  const size_t end = type.rfind("Impl");
  if (end == std::string::npos) {
    return type;
  }
  const size_t begin = type.find_last_of(":< ,", end);
  const std::string name = type.substr(begin == std::string::npos ? 0 : begin + 1,
                                       end - (begin == std::string::npos ? 0 : begin + 1));
  return name.empty() ? type : name;
}

Layer& Layers::add(const std::string& kind, int id)
{
  m_layers.push_back(std::make_unique<Layer>());
  Layer& layer = *m_layers.back();
  layer.id = id;
  layer.kind = layer.name = kind;
  return layer;
}

void Layers::remember(Layer& layer, const std::string& name, const at::Tensor& tensor)
{
  m_tensors[tensor.unsafeGetTensorImpl()] = {&layer, layer.parameters.size()};
  layer.parameters.push_back({name, WeakTensor(tensor.getIntrusivePtr())});
  look_again();
}

void Layers::parameter_registered(const void* module,
                                  const std::string& type,
                                  const std::string& name,
                                  const at::Tensor& tensor)
{
  if (!tensor.defined()) {
    return;
  }
  Layer*& layer = m_modules[module];
  if (layer != nullptr) {
    for (Parameter& parameter : layer->parameters) {
      if (parameter.name == name && parameter.tensor.expired()) {
        layer = nullptr; // another module at the same address
        break;
      }
      if (parameter.name == name) { // its module makes it anew
        parameter.tensor = WeakTensor(tensor.getIntrusivePtr());
        m_tensors[tensor.unsafeGetTensorImpl()] = {
            layer, static_cast<size_t>(&parameter - layer->parameters.data())};
        look_again();
        return;
      }
    }
  }
  if (layer == nullptr) {
    layer = &add(kind_of_module(type), m_next_module++);
    layer->made = program_stack();
  }
  remember(*layer, name, tensor);
}

void Layers::parameters_asked(const torch::nn::Module& module)
{
  look_again();
  if (++m_asked > k_most_walks) {
    return;
  }
  for (const auto& item : module.named_parameters()) {
    const auto known = m_tensors.find(item.value().unsafeGetTensorImpl());
    if (known == m_tensors.end()) {
      continue;
    }
    Layer& layer = *known->second.first;
    layer.registered = true;
    const size_t dot = item.key().rfind('.');
    if (dot != std::string::npos && layer.name == layer.kind) {
      layer.name = item.key().substr(0, dot);
    }
  }
}

void Layers::given_to_optimizer(const std::vector<at::Tensor>& parameters)
{
  for (const at::Tensor& tensor : parameters) {
    if (!tensor.defined()) {
      continue;
    }
    auto known = m_tensors.find(tensor.unsafeGetTensorImpl());
    if (known == m_tensors.end()) { // of no module
      Layer& layer = add("parameter", m_next_function++);
      layer.made = program_stack();
      layer.registered = true;
      remember(layer, "value", tensor);
      known = m_tensors.find(tensor.unsafeGetTensorImpl());
    }
    known->second.first->parameters[known->second.second].optimised = true;
  }
  look_again();
}

Layer* Layers::of_tensor(const at::Tensor& tensor)
{
  const void* storage = storage_of(tensor);
  if (storage == nullptr || m_tensors.empty()) {
    return nullptr;
  }
  if (m_storages.empty()) {
    for (const auto& [address, place] : m_tensors) {
      if (const void* own = storage_of(place.first->parameters[place.second].lock())) {
        m_storages[own] = place.first;
      }
    }
  }
  const auto found = m_storages.find(storage);
  return found == m_storages.end() ? nullptr : found->second;
}

Layer& Layers::of_function(const std::string& name, const Stack& stack, int occurrence)
{
  std::string key = name;
  for (const uintptr_t address : stack) {
    key += ' ' + std::to_string(address);
  }
  const auto [it, is_new] = m_functions.try_emplace({key, occurrence});
  if (is_new && m_functions.size() > k_most_functions) {
    m_functions.erase(it);
    return *m_functions.begin()->second;
  }
  if (is_new) {
    it->second = &add(name, m_next_function++);
    it->second->made = stack;
  }
  return *it->second;
}

void Layers::call(Layer& layer, bool applies)
{
  if (!layer.called || (applies && !layer.applied)) {
    layer.order = m_calls++;
  }
  layer.called = true;
  layer.applied = layer.applied || applies;
}

void Layers::forget_calls()
{
  for (const std::unique_ptr<Layer>& layer : m_layers) {
    layer->called = layer->applied = false;
    layer->order = -1;
  }
  m_calls = 0;
}

void Layers::tell(Stream& stream, bool loaded)
{
  for (const std::unique_ptr<Layer>& layer : m_layers) {
    const auto optimised = [](const Parameter& parameter) {
      return std::string(parameter.optimised ? "true" : "false");
    };
    const auto trainable = [](const Parameter& parameter) {
      const at::Tensor tensor = parameter.lock();
      return std::string(tensor.defined() && tensor.requires_grad() ? "true" : "false");
    };
    const auto name = [](const Parameter& parameter) { return json_text(parameter.name); };
    Object event;
    event.whole("id", layer->id)
        .text("name", layer->name)
        .text("kind", layer->kind)
        .flag("called", layer->called)
        .whole("order", layer->order)
        .raw("parameters", array_of(layer->parameters, name))
        .raw("optimised", array_of(layer->parameters, optimised))
        .raw("trainable", array_of(layer->parameters, trainable));
    if (!layer->parameters.empty()) {
      Object settings;
      settings.flag("registered", layer->registered).flag("loaded", loaded);
      event.raw("settings", settings.done());
    }
    if (event.done() == layer->told) {
      continue;
    }
    layer->told = event.done();
    stream.event("layer", event.raw("site", site_of(layer->made)));
  }
}

} // namespace faultline_watch
