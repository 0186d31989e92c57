// The formulas are those that the frameworks' own summaries count by: Keras' Layer.count_params and
// the shapes of torch's Module.parameters().

#include "check/parameter_count.hpp"

#include "program/values/walk.hpp"
#include "rules/values.hpp"

#include <algorithm>
#include <initializer_list>

namespace faultline::check {

namespace {

using program::Call;
using program::Tensor;

// A number that may not be known; what is computed from one that is not, is not known either.
using Known = std::optional<int64_t>;

Known times(std::initializer_list<Known> factors)
{
  int64_t product = 1;
  for (const Known& factor : factors) {
    if (!factor || __builtin_mul_overflow(product, *factor, &product)) {
      return std::nullopt;
    }
  }
  return product;
}

Known plus(std::initializer_list<Known> terms)
{
  int64_t sum = 0;
  for (const Known& term : terms) {
    if (!term || __builtin_add_overflow(sum, *term, &sum)) {
      return std::nullopt;
    }
  }
  return sum;
}

// One layer as the formulas see it.
class Layer {
public:
  Layer(const Call& call, const Tensor* input) : m_call(call), m_input(input) {}
  explicit Layer(const Call& call) : Layer(call, call.layer != nullptr ? call.input() : nullptr) {}

  Known size(std::initializer_list<std::string_view> names) const
  {
    return rules::int_of(rules::setting_of(m_call, names));
  }

  bool flag(std::initializer_list<std::string_view> names, bool otherwise) const
  {
    return rules::bool_of(rules::setting_of(m_call, names)).value_or(otherwise);
  }

  // `amount` if the layer has a bias.
  Known if_biased(Known amount) const { return flag({"use_bias", "bias"}, true) ? amount : 0; }

  // The product of the sizes of a window in `rank` dimensions; one number stands for all of them.
  Known window(int rank) const
  {
    const auto sizes = rules::ints_of(rules::setting_of(m_call, {"kernel_size"}));
    if (!sizes || sizes->empty()) {
      return std::nullopt;
    }
    Known product = 1;
    for (int i = 0; i < std::max(rank, 1); ++i) {
      product = times(
          {product,
           sizes->size() == 1 ? sizes->front() : (*sizes)[std::min<size_t>(i, sizes->size() - 1)]});
    }
    return product;
  }

  Known axis(int64_t number) const
  {
    return m_input != nullptr ? m_input->shape.at(number).constant() : std::nullopt;
  }

  // Channels of the input, wherever the framework puts them.
  Known channels() const
  {
    if (const Known given =
            size({"in_channels", "in_features", "num_features", "num_channels", "input_size"})) {
      return given;
    }
    const auto format = rules::text_of(rules::setting_of(m_call, {"data_format"}));
    return axis(is_torch() || format == "channels_first" ? 1 : -1);
  }

  bool is_torch() const { return m_call.api != nullptr && m_call.api->name.starts_with("torch."); }
  int rank() const { return m_call.api->number; }
  const Call& call() const { return m_call; }
  const Tensor* input() const { return m_input; }

private:
  const Call& m_call;
  const Tensor* m_input;
};

Known dense(const Layer& layer)
{
  const Known in = layer.size({"in_features"}) ? layer.size({"in_features"}) : layer.axis(-1);
  const Known out = layer.size({"out_features", "units"});
  return plus({times({in, out}), layer.if_biased(out)});
}

Known convolution(const Layer& layer)
{
  const Known out = layer.size({"out_channels", "filters"});
  const Known groups = layer.size({"groups"}).value_or(1);
  const Known weights = times({layer.window(layer.rank()), layer.channels(), out});
  const bool divides = weights && *groups > 0 && *weights % *groups == 0;
  return divides ? plus({*weights / *groups, layer.if_biased(out)}) : std::nullopt;
}

Known depthwise(const Layer& layer)
{
  const Known out = times({layer.channels(), layer.size({"depth_multiplier"}).value_or(1)});
  return plus({times({layer.window(layer.rank()), out}), layer.if_biased(out)});
}

Known separable(const Layer& layer)
{
  const Known between = times({layer.channels(), layer.size({"depth_multiplier"}).value_or(1)});
  const Known out = layer.size({"filters"});
  return plus(
      {times({layer.window(layer.rank()), between}), times({between, out}), layer.if_biased(out)});
}

// `gates` matrices for the input and for the state. torch keeps two biases a gate, Keras one, but
// for the GRU in its newer form.
Known recurrent(const Layer& layer, int64_t gates)
{
  const Known units = layer.size({"hidden_size", "units"});
  const bool torch = layer.is_torch();
  const bool two_biases =
      torch ||
      (gates == 3 && layer.flag({"reset_after"}, layer.call().argument("reset_after") != nullptr));
  const Known bias = layer.if_biased(times({units, two_biases ? 2 : 1}));
  const auto one = [&](Known in) {
    return times({gates, plus({times({in, units}), times({units, units}), bias})});
  };
  const Known in = torch ? layer.size({"input_size"}) : layer.axis(-1);
  if (!torch) {
    return one(in);
  }
  if (layer.size({"proj_size"}).value_or(0) != 0) {
    return std::nullopt;
  }
  const Known directions = layer.flag({"bidirectional"}, false) ? 2 : 1;
  const Known more = layer.size({"num_layers"}).value_or(1) - 1;
  return times({directions, plus({one(in), times({more, one(times({directions, units}))})})});
}

Known convolutional_recurrent(const Layer& layer)
{
  const Known filters = layer.size({"filters"});
  const Known window = layer.window(layer.rank());
  const Known weights = times({window, plus({layer.axis(-1), filters}), filters});
  return times({4, plus({weights, layer.if_biased(filters)})});
}

Known attention(const Layer& layer)
{
  if (layer.is_torch()) {
    const Known width = layer.size({"embed_dim"});
    const bool plain = !layer.size({"kdim"}) && !layer.size({"vdim"});
    return plain ? times({4, plus({times({width, width}), layer.if_biased(width)})}) : std::nullopt;
  }
  const Known heads = layer.size({"num_heads"});
  const Known key = layer.size({"key_dim"});
  if (!heads) {
    return layer.flag({"use_scale"}, false) ? std::nullopt : Known(0);
  }
  const Known value = layer.size({"value_dim"}) ? layer.size({"value_dim"}) : key;
  const Known width = layer.axis(-1);
  const auto projection = [&](Known size) {
    const Known out = times({heads, size});
    return plus({times({width, out}), layer.if_biased(out)});
  };
  return plus({projection(key),
               projection(key),
               projection(value),
               times({heads, value, width}),
               layer.if_biased(width)});
}

// One block of a Transformer's encoder: attention, two dense layers, two normalisations.
Known transformer(const Layer& layer)
{
  if (!layer.call().api->name.ends_with(".TransformerEncoderLayer")) {
    return std::nullopt;
  }
  const Known width = layer.size({"d_model"});
  const Known inner = layer.size({"dim_feedforward"});
  return plus({times({4, width, width}),
               times({4, width}),
               times({2, width, inner}),
               inner,
               width,
               times({4, width})});
}

ParameterCount normalisation(Known channels, const Layer& layer, bool moving)
{
  ParameterCount count;
  const bool affine = layer.flag({"affine", "elementwise_affine"}, true);
  count.trainable = affine && layer.flag({"scale"}, true) ? *channels : 0;
  count.trainable += affine && layer.flag({"center"}, true) ? *channels : 0;
  count.fixed = moving ? 2 * *channels : 0;
  return count;
}

std::optional<ParameterCount> of_normalisation(const Layer& layer, std::string_view op)
{
  Known channels = layer.channels();
  if (op == "layer_norm" && layer.is_torch()) {
    const auto sizes = rules::ints_of(rules::setting_of(layer.call(), {"normalized_shape"}));
    channels = sizes ? Known(1) : std::nullopt;
    for (const int64_t size : sizes.value_or(std::vector<int64_t>())) {
      channels = times({channels, size});
    }
  } else if (!layer.is_torch()) {
    channels = layer.axis(layer.size({"axis"}).value_or(-1));
  }
  if (!channels) {
    return std::nullopt;
  }
  // torch keeps the moving mean and variance as buffers, which it does not count.
  return normalisation(channels, layer, op == "batch_norm" && !layer.is_torch());
}

Known prelu(const Layer& layer)
{
  if (layer.is_torch()) {
    return layer.size({"num_parameters"});
  }
  if (layer.input() == nullptr || !layer.input()->shape.has_rank()) {
    return std::nullopt;
  }
  const std::vector<int64_t> shared =
      rules::ints_of(rules::setting_of(layer.call(), {"shared_axes"}))
          .value_or(std::vector<int64_t>());
  Known product = 1;
  for (size_t i = 1; i < layer.input()->shape.dims().size(); ++i) {
    const bool is_shared = std::ranges::find(shared, static_cast<int64_t>(i)) != shared.end();
    product = times({product, is_shared ? Known(1) : layer.axis(static_cast<int64_t>(i))});
  }
  return product;
}

Known weights_of(const Layer& layer, std::string_view op)
{
  if (op == "dense") {
    return dense(layer);
  }
  if (op == "conv") {
    return convolution(layer);
  }
  if (op == "depthwise_conv") {
    return depthwise(layer);
  }
  if (op == "separable_conv") {
    return separable(layer);
  }
  if (op == "embedding") {
    return times(
        {layer.size({"input_dim", "num_embeddings"}), layer.size({"output_dim", "embedding_dim"})});
  }
  if (op == "lstm" || op == "lstm_cell") {
    return recurrent(layer, 4);
  }
  if (op == "gru" || op == "gru_cell") {
    return recurrent(layer, 3);
  }
  if (op == "rnn" || op == "rnn_cell") {
    return recurrent(layer, 1);
  }
  if (op == "conv_lstm") {
    return convolutional_recurrent(layer);
  }
  if (op == "attention") {
    return attention(layer);
  }
  if (op == "transformer") {
    return transformer(layer);
  }
  if (op == "bilinear") {
    const Known out = layer.size({"out_features"});
    return plus({times({layer.size({"in1_features"}), layer.size({"in2_features"}), out}),
                 layer.if_biased(out)});
  }
  if (op == "prelu") {
    return prelu(layer);
  }
  return layer.call().has(program::k_learning) ? std::nullopt : Known(0);
}

// Of a layer that wraps no other one.
std::optional<ParameterCount> count_plain(const Layer& layer)
{
  const Call& call = layer.call();
  const std::string_view op = call.api->op;
  if (call.has(program::k_normalising) &&
      (op == "batch_norm" || op == "layer_norm" || op == "group_norm" || op == "instance_norm")) {
    return of_normalisation(layer, op);
  }
  const Known weights = weights_of(layer, op);
  return weights ? std::optional(ParameterCount{*weights, 0}) : std::nullopt;
}

std::optional<ParameterCount> count(const Layer& outermost)
{
  const std::optional<ParameterCount> unknown;
  return program::walk(&outermost.call(), unknown, [&](const Call* call, auto& into) {
    const Layer layer(*call, outermost.input());
    if (call->api == nullptr || !call->has(program::k_wraps)) {
      return call->api != nullptr ? count_plain(layer) : unknown;
    }
    const auto* inner = program::as<program::Instance>(call->setting_value("layer"));
    std::optional<ParameterCount> total = inner != nullptr ? into(inner->made_by) : unknown;
    if (total && call->api->op == "bidirectional") {
      *total += ParameterCount(*total);
    }
    return total;
  });
}

} // namespace

std::optional<ParameterCount> count_parameters(const Call& call)
{
  return count(Layer(call));
}

} // namespace faultline::check
