// Activation functions: as layers, as functions, as arguments of Keras layers.

#include "base/format.hpp"
#include "inject/layers.hpp"

#include <algorithm>
#include <array>

namespace faultline::inject {

namespace {

struct Names {
  std::string_view kind;     // as Keras calls it
  std::string_view torch;    // class in torch.nn
  std::string_view function; // in torch.nn.functional
};

constexpr auto k_names = std::to_array<Names>({
    {"relu", "ReLU", "relu"},
    {"sigmoid", "Sigmoid", "sigmoid"},
    {"tanh", "Tanh", "tanh"},
    {"elu", "ELU", "elu"},
    {"selu", "SELU", "selu"},
    {"gelu", "GELU", "gelu"},
    {"softplus", "Softplus", "softplus"},
    {"softsign", "Softsign", "softsign"},
    {"hard_sigmoid", "Hardsigmoid", "hardsigmoid"},
    {"leaky_relu", "LeakyReLU", "leaky_relu"},
    {"softmax", "Softmax", "softmax"},
    {"log_softmax", "LogSoftmax", "log_softmax"},
});

const Names* names_of(std::string_view kind)
{
  const auto found = std::ranges::find(k_names, kind, &Names::kind);
  return found == k_names.end() ? nullptr : &*found;
}

bool needs_axis(std::string_view kind)
{
  return kind == "softmax" || kind == "log_softmax";
}

// "relu" for F.relu, torch.relu, x.relu, tf.nn.relu, keras.activations.relu.
std::optional<std::string> function_kind(const Call& call)
{
  const auto found = std::ranges::find(k_names, call.last(), &Names::function);
  if (found == k_names.end()) {
    return std::nullopt;
  }
  const std::string_view prefix =
      std::string_view(call.name).substr(0, call.name.size() - call.last().size());
  const bool is_method = prefix == "." && (call.arguments.empty() || needs_axis(found->kind));
  const auto modules = {"torch.", "torch.nn.functional.", "tensorflow.nn.", "keras.activations."};
  if (is_method || std::ranges::find(modules, prefix) != modules.end()) {
    return std::string(found->kind);
  }
  return std::nullopt;
}

std::optional<std::string> layer_kind(const Layer& layer)
{
  if (layer.framework == Framework::keras) {
    if (layer.type == "Activation") {
      const Argument* argument = layer.call.find("activation", 0);
      return argument == nullptr ? std::nullopt : string_of(argument->value);
    }
    return layer.type == "ReLU"      ? std::optional<std::string>("relu")
           : layer.type == "Softmax" ? std::optional<std::string>("softmax")
                                     : std::nullopt;
  }
  const auto found = std::ranges::find(k_names, std::string_view(layer.type), &Names::torch);
  return found == k_names.end() ? std::nullopt : std::optional(std::string(found->kind));
}

// The kind that activation="relu" or activation=tf.nn.relu asks for.
std::optional<std::string> argument_kind(const Code& code, const Layer& layer)
{
  const Argument* argument = layer.framework == Framework::keras && layer.type != "Activation"
                                 ? layer.call.find("activation")
                                 : nullptr;
  if (argument == nullptr) {
    return std::nullopt;
  }
  if (std::optional<std::string> word = string_of(argument->value)) {
    return word == "linear" ? std::nullopt : word;
  }
  const std::string name = code.resolve(argument->value);
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || names_of(std::string_view(name).substr(dot + 1)) == nullptr) {
    return std::nullopt;
  }
  return name.substr(dot + 1);
}

// Whether no layer with weights of the same model is used behind `node`.
bool is_behind_all(const Node& node, const std::vector<Layer>& layers)
{
  const std::optional<Node> type = enclosing(node, {"class_definition"});
  for (const Layer& layer : layers) {
    if (!layer.has_weights()) {
      continue;
    }
    if (type && !contains(*type, layer.call.node)) {
      continue;
    }
    if (layer.call.node.begin_byte() > node.begin_byte() && layer.place != Layer::Place::named) {
      return false;
    }
    for (const Call& use : layer.uses) {
      // In `self.fc2(F.relu(x))` the call begins before what it is fed, but ends behind it.
      if (use.node.end_byte() > node.end_byte() && use.node.begin_byte() != node.begin_byte() &&
          (contains(use.node, node) || use.node.begin_byte() > node.begin_byte())) {
        return false;
      }
    }
  }
  return true;
}

} // namespace

const Argument* Activation::argument() const
{
  return of ? of->call.find("activation") : nullptr;
}

Setting activation_setting(std::initializer_list<std::string_view> more)
{
  std::vector<std::string_view> kinds = {
      "elu", "selu", "softplus", "softsign", "relu", "tanh", "sigmoid", "hard_sigmoid", "softmax"};
  kinds.insert(kinds.end(), more);
  return {.name = "activation", .values = std::move(kinds), .search = Search::exhaustive};
}

std::string layer_name(Framework framework, std::string_view kind)
{
  const Names* names = names_of(kind);
  if (framework == Framework::keras) {
    return "keras.layers.Activation";
  }
  return names == nullptr ? std::string() : "torch.nn." + std::string(names->torch);
}

std::vector<Activation> activations_of(const Code& code)
{
  const std::vector<Layer> layers = layers_of(code);
  std::vector<Activation> found;
  for (const Layer& layer : layers) {
    if (const auto kind = layer_kind(layer)) {
      Activation activation{*kind, layer.call.node, {}, layer, {}};
      // A named one stands where it is used.
      const Node& place = layer.uses.empty() ? layer.call.node : layer.uses.back().node;
      activation.is_last = is_behind_all(place, layers);
      found.push_back(std::move(activation));
    }
    if (const auto kind = argument_kind(code, layer)) {
      Activation activation{*kind, layer.call.find("activation")->whole, {}, {}, layer};
      activation.is_last = is_output(layer, layers);
      found.push_back(std::move(activation));
    }
  }
  for (const Call& call : code.calls()) {
    if (const auto kind = function_kind(call)) {
      Activation activation{*kind, call.node, call, {}, {}};
      activation.is_last = is_behind_all(call.node, layers);
      found.push_back(std::move(activation));
    }
  }
  std::ranges::stable_sort(
      found, {}, [](const Activation& activation) { return activation.node.begin_byte(); });
  return found;
}

std::optional<std::vector<Edit>> without(const Code& code, const Activation& activation)
{
  if (activation.layer) {
    return without(code, *activation.layer);
  }
  if (const Argument* argument = activation.argument()) {
    return std::vector<Edit>{remove_item(argument->whole)};
  }
  const Call& call = *activation.function;
  if (call.name.starts_with(".")) {
    return std::vector<Edit>{{call.callee.child("object")->end_byte(), call.node.end_byte(), ""}};
  }
  if (call.arguments.empty() || !call.arguments.front().keyword.empty()) {
    return std::nullopt;
  }
  const Node& value = call.arguments.front().value;
  const bool is_bare = bracketed(value) == value.text();
  return std::vector<Edit>{{call.node.begin_byte(), value.begin_byte(), is_bare ? "" : "("},
                           {value.end_byte(), call.node.end_byte(), is_bare ? "" : ")"}};
}

std::optional<std::vector<Edit>>
replaced(const Code& code, const Activation& activation, std::string_view kind)
{
  if (kind == activation.kind) {
    return std::nullopt;
  }
  const bool is_keras =
      activation.of || (activation.layer && activation.layer->framework == Framework::keras);
  const Names* names = names_of(kind);
  if (!is_keras && (names == nullptr || needs_axis(activation.kind))) {
    return std::nullopt;
  }
  const std::string_view axis = needs_axis(kind) ? "dim=-1" : "";
  if (const Argument* argument = activation.argument()) {
    return std::vector<Edit>{replace(argument->value, format("\"{}\"", kind))};
  }
  if (activation.layer) {
    const std::string name = code.spelled(layer_name(activation.layer->framework, kind));
    const std::string inside = is_keras ? format("\"{}\"", kind) : std::string(axis);
    return std::vector<Edit>{replace(activation.layer->call.node, format("{}({})", name, inside))};
  }
  const Call& call = *activation.function;
  if (call.name.starts_with("tensorflow.") || call.name.starts_with("keras.")) {
    return std::nullopt;
  }
  const Node value = call.name.starts_with(".") ? *call.callee.child("object")
                     : call.arguments.empty()   ? call.node
                                                : call.arguments.front().value;
  if (value == call.node) {
    return std::nullopt;
  }
  const std::string name = code.spelled("torch.nn.functional." + std::string(names->function));
  return std::vector<Edit>{
      {call.node.begin_byte(), value.begin_byte(), name + "("},
      {value.end_byte(), call.node.end_byte(), axis.empty() ? ")" : format(", {})", axis)}};
}

} // namespace faultline::inject
