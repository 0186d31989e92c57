#include "inject/layers.hpp"

#include "base/format.hpp"

#include <algorithm>

namespace faultline::inject {

namespace {

std::optional<Framework> framework_of(const Call& call)
{
  constexpr std::string_view k_torch = "torch.nn.";
  constexpr std::string_view k_keras = "keras.layers.";
  const auto is_plain = [&call](std::string_view prefix) {
    return call.name.starts_with(prefix) && is_capitalised(call.name.substr(prefix.size())) &&
           call.name.find('.', prefix.size()) == std::string::npos &&
           call.name.find("()") == std::string::npos;
  };
  if (is_plain(k_keras)) {
    return Framework::keras;
  }
  if (is_plain(k_torch) && !call.name.ends_with("Loss") &&
      !call.is_any({"torch.nn.Sequential",
                    "torch.nn.Module",
                    "torch.nn.ModuleList",
                    "torch.nn.ModuleDict",
                    "torch.nn.Parameter",
                    "torch.nn.DataParallel"})) {
    return Framework::torch;
  }
  return std::nullopt;
}

bool is_model(const Call& call)
{
  return call.is_any({"torch.nn.Sequential", "keras.Sequential", "torch.nn.ModuleList"});
}

// A list of layers, or the arguments of Sequential.
bool is_list_of_layers(const Code& code, const Node& list)
{
  if (list.kind() == "list") {
    return true;
  }
  const Call* call = list.kind() == "argument_list" ? code.call_at(*list.parent()) : nullptr;
  return call != nullptr && is_model(*call);
}

void find_place(const Code& code, Layer& layer)
{
  const std::optional<Node> parent = layer.call.node.parent();
  if (!parent) {
    return;
  }
  if (is_list_of_layers(code, *parent)) {
    layer.place = Layer::Place::item;
  } else if (parent->kind() == "argument_list") {
    const Call* call = code.call_at(*parent->parent());
    const std::optional<Node> statement = statement_of(*parent);
    const bool is_alone = call != nullptr && statement &&
                          statement->kind() == "expression_statement" &&
                          statement->begin_byte() == call->node.begin_byte();
    if (is_alone && (call->last() == "add" || call->last() == "append")) {
      layer.place = Layer::Place::added;
    }
  } else if (parent->kind() == "call") {
    layer.place = Layer::Place::applied;
  } else if (parent->kind() == "assignment" && parent->parent()->kind() == "expression_statement") {
    layer.place = Layer::Place::named;
    layer.variable = std::string(parent->child("left")->text());
    const Node scope = layer.variable.starts_with("self.") ? layer.owner : code.root();
    for (const Call& call : code.calls()) {
      if (call.callee.text() == layer.variable && contains(scope, call.node)) {
        layer.uses.push_back(call);
      }
    }
  }
}

Node owner_of(const Code& code, const Node& node)
{
  if (const std::optional<Node> type = enclosing(node, {"class_definition"})) {
    return *type;
  }
  std::optional<Node> outermost;
  for (std::optional<Node> at = node.parent(); at; at = at->parent()) {
    const Call* call = at->kind() == "call" ? code.call_at(*at) : nullptr;
    if (call != nullptr && is_model(*call)) {
      outermost = at;
    }
  }
  if (outermost) {
    return *outermost;
  }
  return enclosing(node, {"function_definition"}).value_or(code.root());
}

} // namespace

bool Layer::is(std::initializer_list<std::string_view> types) const
{
  return std::ranges::find(types, std::string_view(type)) != types.end();
}

bool Layer::has_weights() const
{
  return is({"Linear", "Dense"}) || type.find("Conv") != std::string::npos ||
         is({"LSTM", "GRU", "RNN", "SimpleRNN", "Embedding"});
}

const Argument* Layer::width() const
{
  const bool is_conv = type.find("Conv") != std::string::npos;
  if (framework == Framework::keras) {
    return is_conv                                     ? call.find("filters", 0)
           : is({"Dense", "LSTM", "GRU", "SimpleRNN"}) ? call.find("units", 0)
                                                       : nullptr;
  }
  return is_conv                      ? call.find("out_channels", 1)
         : is({"Linear"})             ? call.find("out_features", 1)
         : is({"LSTM", "GRU", "RNN"}) ? call.find("hidden_size", 1)
         : is({"Embedding"})          ? call.find("embedding_dim", 1)
                                      : nullptr;
}

const Argument* Layer::input_width() const
{
  if (framework == Framework::keras) {
    return nullptr;
  }
  return type.find("Conv") != std::string::npos ? call.find("in_channels", 0)
         : is({"Linear"})                       ? call.find("in_features", 0)
         : is({"LSTM", "GRU", "RNN"})           ? call.find("input_size", 0)
         : type.starts_with("BatchNorm")        ? call.find("num_features", 0)
                                                : nullptr;
}

std::vector<Layer> layers_of(const Code& code)
{
  std::vector<Layer> layers;
  for (const Call& call : code.calls()) {
    if (const std::optional<Framework> framework = framework_of(call)) {
      Layer layer{call,
                  *framework,
                  std::string(call.last()),
                  Layer::Place::other,
                  "",
                  {},
                  owner_of(code, call.node)};
      find_place(code, layer);
      layers.push_back(std::move(layer));
    }
  }
  return layers;
}

bool is_output(const Layer& layer, const std::vector<Layer>& layers)
{
  return layer.has_weights() && std::ranges::none_of(layers, [&](const Layer& other) {
           return other.owner == layer.owner && other.has_weights() &&
                  other.call.node.begin_byte() > layer.call.node.begin_byte();
         });
}

std::optional<std::vector<Edit>> without(const Code& code, const Layer& layer)
{
  switch (layer.place) {
  case Layer::Place::item:
    return std::vector<Edit>{remove_item(layer.call.node)};
  case Layer::Place::added:
    return std::vector<Edit>{remove_statement(code, *statement_of(layer.call.node))};
  case Layer::Place::applied: {
    const Call* outer = code.call_at(*layer.call.node.parent());
    if (outer == nullptr || outer->arguments.size() != 1 || outer->has_stars) {
      return std::nullopt;
    }
    return std::vector<Edit>{replace(outer->node, bracketed(outer->arguments.front().value))};
  }
  case Layer::Place::named: {
    // The definition stays: other code may look at it, and random numbers are drawn as before.
    std::vector<Edit> edits;
    for (const Call& use : layer.uses) {
      if (use.arguments.size() != 1 || use.has_stars) {
        return std::nullopt;
      }
      // Two edits around the argument, as it may hold another use of the layer.
      const Node& value = use.arguments.front().value;
      edits.push_back({use.node.begin_byte(), value.begin_byte(), ""});
      edits.push_back({value.end_byte(), use.node.end_byte(), ""});
      if (bracketed(value) != value.text()) {
        return std::nullopt;
      }
    }
    return edits.empty() ? std::nullopt : std::optional(std::move(edits));
  }
  case Layer::Place::other:
    break;
  }
  return std::nullopt;
}

std::optional<BiasSwitch> bias_switch_of(const Layer& layer)
{
  if (!layer.has_weights() || layer.type == "Embedding") {
    return std::nullopt;
  }
  const std::string keyword = layer.framework == Framework::torch ? "bias" : "use_bias";
  return BiasSwitch{keyword, layer.call.find(keyword, layer.type == "Linear" ? 2 : k_keyword_only)};
}

std::optional<std::vector<Edit>>
followed_by(const Code& code, const Layer& layer, const std::string& other)
{
  switch (layer.place) {
  case Layer::Place::item:
    return std::vector<Edit>{insert_behind(layer.call.node, ", " + other)};
  case Layer::Place::added: {
    const Node statement = *statement_of(layer.call.node);
    const Call* call = code.call_at(*layer.call.node.parent()->parent());
    const auto line = format("{}({})", call->callee.text(), other);
    const std::optional<Edit> edit = insert_after(code, statement, {line});
    return edit ? std::optional(std::vector<Edit>{*edit}) : std::nullopt;
  }
  case Layer::Place::applied: {
    const Node outer = *layer.call.node.parent();
    const size_t begin = outer.begin_byte();
    return std::vector<Edit>{{begin, begin, other + "("}, insert_behind(outer, ")")};
  }
  case Layer::Place::named: {
    std::vector<Edit> edits;
    for (const Call& use : layer.uses) {
      const size_t begin = use.node.begin_byte();
      edits.push_back({begin, begin, other + "("});
      edits.push_back(insert_behind(use.node, ")"));
    }
    return edits.empty() ? std::nullopt : std::optional(std::move(edits));
  }
  case Layer::Place::other:
    break;
  }
  return std::nullopt;
}

} // namespace faultline::inject
