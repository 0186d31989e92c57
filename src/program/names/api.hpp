#pragma once

// What we know of a library's names: one row each, in tables under program/libraries/. Adding a
// layer is adding a row.

#include "program/values/value.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace faultline::program {

class Machine;

enum class Role : uint8_t {
  function,       // called, gives a value
  layer,          // a class whose instances are called on tensors
  layer_function, // a function that makes weights and applies them: tf.layers.dense
  model,          // keras.Sequential, keras.Model, torch.nn.Module, torch.nn.Sequential
  loss,           // a class whose instances are called on predictions and targets
  loss_function,
  optimizer,
  scheduler,
  metric,
  initializer,
  regularizer,
  callback,
  dataset,
  loader,
  transform,
  scope,     // a context manager: no_grad, GradientTape, variable_scope
  object,    // any other class
  method,    // called on an object: name is Class.method
  attribute, // read on an object: x.shape
  constant,  // torch.float32
  opaque,    // understood to have no influence on tensors or training: logging, plots, files
};

// Framework-neutral facts of an operation, joined by |.
enum Trait : uint32_t {
  k_learning = 1 << 0,    // has trainable weights (dense, conv, recurrent, embedding, attention)
  k_activation = 1 << 1,  // a non-linear element-wise function or softmax
  k_elementwise = 1 << 2, // each output depends on one input element: keeps the shape
  k_reshaping = 1 << 3,   // moves elements only: flatten, reshape, transpose, squeeze
  k_normalising = 1 << 4, // batch, layer, group, instance norm
  k_dropping = 1 << 5,    // dropout and its kin
  k_pooling = 1 << 6,
  k_global = 1 << 7, // pools all positions
  k_convolution = 1 << 8,
  k_recurrent = 1 << 9,
  k_merging = 1 << 10, // add, concatenate of several inputs
  k_reduction = 1 << 11,
  k_random = 1 << 12,         // draws random numbers
  k_in_place = 1 << 13,       // changes its first argument or self
  k_no_gradient = 1 << 14,    // the gradient stops here: argmax, round, detach, comparison
  k_mode_dependent = 1 << 15, // behaves differently when training: dropout, batch norm
  k_transposed = 1 << 16,     // transposed convolution
  k_wraps = 1 << 17,          // wraps a layer: Bidirectional, TimeDistributed, DataParallel
  k_source = 1 << 18,         // makes a tensor from nothing: zeros, randn, placeholder, Input
  k_numeric_only = 1 << 19,
};

using Transfer = Ref (*)(Machine& machine, Call& call);

// One row. `name` is the canonical path. `signature` is written as Python does, without self:
// "units, activation=None, use_bias=True, *, dtype='float32', **kwargs". Defaults are literals.
// `op` is the operation's name across frameworks ("dense", "conv", "relu", "log", "reduce_max"; the
// list is in program/libraries/README.md); rules match on it. For a class with instances that are
// called (layer, loss, model), `transfer` is what that call does; for others, what the call of the
// name itself does. Null: the result is a tensor of the same shape if k_elementwise is set, an
// instance for a class, else unknown.
struct Api {
  std::string_view name;
  std::string_view signature = {};
  Role role = Role::function;
  std::string_view op = {};
  uint32_t traits = 0;
  Transfer transfer = nullptr;
  std::string_view base = {}; // a class whose methods are inherited: "torch.optim.Optimizer"
  int number = 0;             // parameter of a family: spatial rank of a convolution …

  bool has(uint32_t trait) const { return (traits & trait) != 0; }
};

struct Parameter {
  std::string_view name;
  std::string_view fallback; // literal text; empty if the argument is required
  enum class Form : uint8_t { ordinary, keyword_only, star, double_star } form = Form::ordinary;
};

// The row of a canonical path; null if no table has it. Inherited methods are found by `base`.
const Api* find_api(std::string_view path);
const Api* find_method(const Api& klass, std::string_view name);

// "tensorflow.keras.layers.Dense" → "keras.layers.Dense". The rules of aliasing are in
// aliases.cpp.
std::string canonical_path(std::string_view written);

// Some row lies below `path`: torch.nn.
bool is_namespace(std::string_view path);

// Whether `path` belongs to a library that we model, so that a missing row means that the program
// is only partly understood.
bool is_modelled_library(std::string_view path);

// All names under `path` are opaque: tensorflow.summary, torch.distributed.
bool is_opaque(std::string_view path);

const std::vector<Parameter>& parameters_of(const Api& api); // parsed once

// Every table, for the registry and for tests.
std::vector<std::span<const Api>> api_tables();

} // namespace faultline::program
