#pragma once

// Which layers the program has: modules with parameters of their own, and activation functions at
// one line. They are known by weak references only.

#include "sites.hpp"
#include "stream.hpp"

#include <torch/nn/module.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace faultline_watch {

using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

struct Parameter {
  std::string name;
  WeakTensor tensor;
  bool optimised = false;

  at::Tensor lock() const; // undefined if it is gone
};

struct Layer {
  int id = 0;
  std::string name, kind;
  Stack made;
  bool called = false;
  bool applied = false;    // called by an operator that layers are made of
  bool registered = false; // parameters() of some module that the program asked lists it
  int order = -1;
  std::vector<Parameter> parameters;
  std::string told;
};

class Layers {
public:
  // What the program does.
  void parameter_registered(const void* module,
                            const std::string& type,
                            const std::string& name,
                            const at::Tensor& tensor);
  void parameters_asked(const torch::nn::Module& module);
  void given_to_optimizer(const std::vector<at::Tensor>& parameters);

  // The layer that has a parameter in the storage of `tensor`; null if none has.
  Layer* of_tensor(const at::Tensor& tensor);
  Layer& of_function(const std::string& name, const Stack& stack, int occurrence);
  // `applies`: by an operator that layers are made of. Others look at weights too, also those that
  // initialise them, and say less about the place of the layer.
  void call(Layer& layer, bool applies);
  // What was called while models were made is no part of a step.
  void forget_calls();
  // Storages may have been replaced.
  void look_again() { m_storages.clear(); }

  const std::vector<std::unique_ptr<Layer>>& all() const { return m_layers; }
  void tell(Stream& stream, bool loaded);

private:
  Layer& add(const std::string& kind, int id);
  void remember(Layer& layer, const std::string& name, const at::Tensor& tensor);

  std::vector<std::unique_ptr<Layer>> m_layers;
  std::unordered_map<const void*, Layer*> m_modules;
  std::unordered_map<const void*, std::pair<Layer*, size_t>> m_tensors; // and which parameter
  std::unordered_map<const void*, Layer*> m_storages;
  std::map<std::pair<std::string, int>, Layer*> m_functions;
  int m_next_module = 0;
  int m_next_function = 1 << 16;
  int m_calls = 0;
  int m_asked = 0;
};

// "Linear" of "torch::nn::LinearImpl", "Conv1d" of its base class while that is made.
std::string kind_of_module(const std::string& type);

} // namespace faultline_watch
