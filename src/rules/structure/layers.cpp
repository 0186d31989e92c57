#include "rules/structure/layers.hpp"

#include "rules/facts.hpp"
#include "rules/values.hpp"

#include <algorithm>
#include <array>

namespace faultline::rules {

template <size_t N>
static bool is_one_of(std::string_view op, const std::array<std::string_view, N>& ops)
{
  return std::ranges::find(ops, op) != ops.end();
}

bool is_dense(const Call& call)
{
  return call.is("dense") || (call.is("matmul") && weight_of(call) != nullptr);
}

bool is_convolution(const Call& call)
{
  constexpr std::array<std::string_view, 4> k_ops = {
      "conv", "depthwise_conv", "separable_conv", "local_conv"};
  return is_one_of(call.op(), k_ops);
}

bool is_pooling(const Call& call)
{
  return call.has(program::k_pooling) && !call.is("unpool");
}

bool is_dropout(const Call& call)
{
  return call.is("dropout") || call.is("spatial_dropout");
}

bool is_nonlinear(const Call& call)
{
  return call.has(program::k_activation) && !call.is("linear") && !call.is("activation");
}

bool is_learning(const Call& call)
{
  return is_mixing(call) || (call.has(program::k_learning) && !call.has(program::k_normalising) &&
                             !call.has(program::k_activation));
}

bool is_weight(const Tensor* tensor)
{
  if (tensor == nullptr) {
    return false;
  }
  if (tensor->requires_grad == program::Truth::yes && tensor->leaf == program::Truth::yes) {
    return true;
  }
  const Call* maker = value_producer(tensor);
  return maker != nullptr && (maker->is("variable") || maker->is("parameter"));
}

const Tensor* weight_of(const Call& call)
{
  const std::vector<Tensor*> inputs = call.inputs();
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (is_weight(inputs[i])) {
      return is_weight(inputs.front()) ? nullptr : inputs[i];
    }
  }
  return nullptr;
}

// One tensor goes in; others (weights, masks, states, statistics) only serve.
static bool has_one_input(const Call& call)
{
  constexpr uint32_t k_single = program::k_learning | program::k_activation |
                                program::k_normalising | program::k_dropping | program::k_pooling |
                                program::k_reshaping;
  return call.has(k_single) && !call.has(program::k_merging);
}

const Tensor* data_input(const Call& call)
{
  const Tensor* found = nullptr;
  for (const Tensor* input : call.inputs()) {
    if (is_weight(input)) {
      continue;
    }
    if (has_one_input(call)) {
      return input;
    }
    if (input->literal != nullptr) {
      continue;
    }
    if (found != nullptr) {
      return nullptr;
    }
    found = input;
  }
  return found;
}

const Call* call_before(const Call& call)
{
  const Tensor* input = data_input(call);
  // Earlier calls only, so that every walk ends.
  const bool is_earlier =
      input != nullptr && input->producer != nullptr && input->producer->order < call.order;
  return is_earlier ? input->producer : nullptr;
}

const Call* learning_layer_before(const Call& call)
{
  const Call* step = call_before(call);
  while (step != nullptr && !is_learning(*step)) {
    step = call_before(*step);
  }
  return step;
}

std::vector<const Call*> uses_of(const Program& program, const Tensor* tensor)
{
  std::vector<const Call*> uses;
  std::ranges::copy_if(program.consumers(tensor), std::back_inserter(uses), [](const Call* call) {
    const bool is_wrapper = call->layer != nullptr && call->layer->klass != nullptr;
    const program::Role role = call->api != nullptr ? call->api->role : program::Role::opaque;
    return !is_wrapper && role != program::Role::attribute && role != program::Role::opaque &&
           role != program::Role::model;
  });
  return uses;
}

std::optional<int64_t> units_of(const Call& layer)
{
  const Ref written = setting_of(
      layer, {"units", "out_features", "filters", "out_channels", "num_outputs", "hidden_size"});
  if (const std::optional<int64_t> units = int_of(written)) {
    return units;
  }
  const Tensor* weight = weight_of(layer);
  if (weight == nullptr) {
    return std::nullopt;
  }
  // torch keeps the filters first.
  const bool is_torch = weight->library == program::Library::torch;
  return weight->shape.at(is_torch && is_convolution(layer) ? 0 : -1).constant();
}

std::optional<std::vector<int64_t>> kernel_of(const Call& convolution)
{
  const auto axes = static_cast<size_t>(std::max(convolution.api->number, 1));
  if (const Ref written = setting_of(convolution, {"kernel_size"})) {
    std::optional<std::vector<int64_t>> sizes = ints_of(written);
    if (sizes && sizes->size() == 1) {
      sizes->resize(axes, sizes->front());
    }
    return sizes && sizes->size() == axes ? sizes : std::nullopt;
  }
  const Tensor* weight = weight_of(convolution);
  if (weight == nullptr || weight->shape.rank() != axes + 2) {
    return std::nullopt;
  }
  const size_t first = weight->library == program::Library::torch ? 2 : 0;
  std::vector<int64_t> sizes;
  for (size_t i = first; i < first + axes; ++i) {
    const std::optional<int64_t> size = weight->shape.dims()[i].constant();
    if (!size) {
      return std::nullopt;
    }
    sizes.push_back(*size);
  }
  return sizes;
}

std::vector<program::Dim> positions_of(const Call& layer, const Tensor& maps)
{
  const auto axes = static_cast<size_t>(std::max(layer.api->number, 1));
  if (maps.shape.rank() != axes + 2) {
    return {};
  }
  const std::string_view layout =
      text_of(setting_of(layer, {"data_format"})).value_or(std::string_view());
  const bool is_first =
      layer.name.starts_with("torch") || layout.starts_with("NC") || layout == "channels_first";
  const auto begin = maps.shape.dims().begin() + (is_first ? 2 : 1);
  return {begin, begin + static_cast<std::ptrdiff_t>(axes)};
}

bool has_stride(const Call& layer)
{
  const auto strides = ints_of(setting_of(layer, {"strides", "stride"}));
  return strides && std::ranges::any_of(*strides, [](int64_t stride) { return stride > 1; });
}

const Call& constructor_of(const Call& layer)
{
  return layer.layer != nullptr && layer.layer->made_by != nullptr ? *layer.layer->made_by : layer;
}

std::unordered_set<const Call*> inner_layers(const Program& program)
{
  std::unordered_set<const Call*> inner;
  for (const Call& call : program.calls()) {
    if (is_learning(call)) {
      if (const Call* before = learning_layer_before(call)) {
        inner.insert(before);
      }
    }
  }
  return inner;
}

bool is_trained(const Program& program)
{
  return !program.losses().empty() || std::ranges::any_of(program.calls(), [](const Call& call) {
    return call.is("compile") || call.is("fit") || call.is("backward") || call.is("minimize") ||
           call.is("optimizer_step") || call.is("apply_gradients") ||
           (call.api != nullptr && call.api->role == program::Role::optimizer);
  });
}

} // namespace faultline::rules
