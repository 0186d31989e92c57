#include "check/model_summary.hpp"

#include "base/format.hpp"
#include "program/values/walk.hpp"
#include "rules/values.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace faultline::check {

namespace {

using program::as;
using program::Call;
using program::Instance;
using program::Program;
using program::Ref;
using program::Role;
using program::Tensor;

constexpr int k_deepest = 12; // models within models

// "keras.layers.Conv2D" → "Conv2D".
std::string short_name(std::string_view path)
{
  return std::string(path.substr(path.rfind('.') + 1));
}

std::string type_of(const Instance& object)
{
  return object.klass != nullptr ? std::string(object.klass->name)
         : object.api != nullptr ? short_name(object.api->name)
                                 : "?";
}

bool is_model(const Instance& object)
{
  const bool is_module = object.api != nullptr && object.api->role == Role::model;
  return is_module ||
         (object.klass != nullptr && object.api != nullptr && object.api->role == Role::layer);
}

bool is_keras(const Instance& object)
{
  return object.api != nullptr && object.api->name.starts_with("keras.");
}

bool is_part(const Instance& object)
{
  return object.api != nullptr &&
         (object.api->role == Role::layer || object.api->role == Role::model);
}

const Tensor* tensor_of(Ref value)
{
  using program::Sequence;
  return program::walk(value, static_cast<const Tensor*>(nullptr), [](Ref one, auto& into) {
    const auto* list = as<Sequence>(one);
    return list == nullptr ? as<Tensor>(one) : list->items.empty() ? nullptr : into(list->items[0]);
  });
}

std::string shape_of(const Tensor* tensor)
{
  return tensor != nullptr && tensor->shape.has_rank() ? tensor->shape.text() : "?";
}

// Where an object comes in the order of the program.
size_t order_of(const Instance& object)
{
  return object.made_by != nullptr ? object.made_by->order : SIZE_MAX;
}

struct Part {
  std::string name;
  const Instance* object;
};

void add_parts(const std::string& name, Ref value, std::vector<Part>& parts)
{
  std::string path = name;
  program::walk(
      value,
      true,
      [&](Ref one, auto& into) {
        const std::string outer = path;
        if (const auto* object = as<Instance>(one)) {
          if (is_part(*object)) {
            parts.push_back({path, object});
          }
        } else if (const auto* list = as<program::Sequence>(one)) {
          for (size_t i = 0; i < list->items.size(); ++i) {
            path = format("{}.{}", outer, i);
            into(list->items[i]);
          }
        } else if (const auto* dict = as<program::Dict>(one)) {
          for (const auto& [key, item] : dict->items) {
            path = format("{}.{}", outer, rules::text_of(key).value_or("?"));
            into(item);
          }
        }
        return true;
      },
      program::Again::visit);
}

// The layers and models directly inside, as the object holds them.
std::vector<Part> parts_of(const Instance& model)
{
  std::vector<Part> parts;
  for (size_t i = 0; i < model.items.size(); ++i) {
    add_parts(format("{}", i), model.items[i], parts);
  }
  std::vector<Part> held;
  for (const auto& [name, value] : model.attributes) {
    if (name.find(' ') == std::string_view::npos) { // others are notes of the interpreter
      add_parts(std::string(name), value, held);
    }
  }
  std::ranges::stable_sort(held, {}, [](const Part& part) { return order_of(*part.object); });
  parts.insert(parts.end(), held.begin(), held.end());
  return parts;
}

// Calls on the way from a functional model's inputs to its outputs, in order.
std::vector<const Call*> graph_of(const Instance& model)
{
  std::vector<const Tensor*> open;
  const auto add = [&open](Ref value) {
    if (const auto* list = as<program::Sequence>(value)) {
      for (const Ref item : list->items) {
        open.push_back(as<Tensor>(item));
      }
    }
    open.push_back(as<Tensor>(value));
  };
  if (model.made_by != nullptr) {
    add(model.made_by->arg("outputs"));
  }
  std::set<const Call*> seen;
  while (!open.empty()) {
    const Tensor* tensor = open.back();
    open.pop_back();
    if (tensor == nullptr || tensor->producer == nullptr || !seen.insert(tensor->producer).second) {
      continue;
    }
    for (const Tensor* input : tensor->producer->inputs()) {
      open.push_back(input);
    }
  }
  std::vector<const Call*> calls(seen.begin(), seen.end());
  std::ranges::sort(calls, {}, &Call::order);
  return calls;
}

// dense, dense_1, … as Keras names layers that have no name.
class Namer {
public:
  std::string name(const std::string& type)
  {
    std::string snake;
    for (size_t i = 0; i < type.size(); ++i) {
      const bool upper = std::isupper(static_cast<unsigned char>(type[i])) != 0;
      const bool after_lower = i > 0 && std::islower(static_cast<unsigned char>(type[i - 1])) != 0;
      const bool before_lower = i > 0 && i + 1 < type.size() &&
                                std::islower(static_cast<unsigned char>(type[i + 1])) != 0;
      snake += upper && (after_lower || before_lower) ? "_" : "";
      snake += static_cast<char>(std::tolower(static_cast<unsigned char>(type[i])));
    }
    const size_t n = m_counts[snake]++;
    return n == 0 ? snake : format("{}_{}", snake, n);
  }

private:
  std::map<std::string, size_t> m_counts;
};

std::string given_name(const Call* made_by)
{
  if (made_by == nullptr) {
    return {};
  }
  const program::Argument* name = made_by->given("name");
  name = name != nullptr ? name : made_by->keyword("name");
  return name != nullptr ? std::string(rules::text_of(name->value).value_or("")) : std::string();
}

bool is_frozen(const Instance& object)
{
  const auto found = object.attributes.find("trainable");
  return found != object.attributes.end() && rules::bool_of(found->second) == false;
}

std::optional<ParameterCount> parameters_of(const Instance& object, int depth);

// The sum over the parts of a model; nothing if one of them is not known.
std::optional<ParameterCount> sum_of_parts(const Instance& model, int depth)
{
  std::vector<const Instance*> objects;
  for (const Part& part : parts_of(model)) {
    objects.push_back(part.object);
  }
  for (const Call* call : graph_of(model)) {
    if (call->layer != nullptr) {
      objects.push_back(call->layer);
    }
  }
  if (objects.empty()) {
    return std::nullopt;
  }
  ParameterCount sum;
  std::set<const Instance*> counted;
  for (const Instance* object : objects) {
    if (!counted.insert(object).second) {
      continue;
    }
    const std::optional<ParameterCount> part = parameters_of(*object, depth + 1);
    if (!part) {
      return std::nullopt;
    }
    sum += *part;
  }
  return sum;
}

std::optional<ParameterCount> parameters_of(const Instance& object, int depth)
{
  std::optional<ParameterCount> count;
  if (is_model(object)) {
    count = depth < k_deepest ? sum_of_parts(object, depth) : std::nullopt;
  } else if (!object.applied.empty()) {
    count = count_parameters(*object.applied.front());
  } else if (object.made_by != nullptr) {
    count = count_parameters(*object.made_by);
  }
  if (count && is_frozen(object)) {
    count = ParameterCount{0, count->all()};
  }
  return count;
}

class Summariser {
public:
  Summariser(const Instance& model, ModelSummary& summary) : m_model(model), m_summary(summary) {}

  void run()
  {
    const std::vector<const Call*> graph = graph_of(m_model);
    if (!graph.empty()) {
      for (const Call* call : graph) {
        add_call(*call);
      }
    } else {
      add_all(m_model, "", 0);
    }
    for (const LayerSummary& layer : m_summary.layers) {
      m_summary.all_known = m_summary.all_known && layer.parameters.has_value();
      m_summary.parameters += layer.parameters.value_or(ParameterCount());
    }
  }

private:
  void add_all(const Instance& model, const std::string& prefix, int depth)
  {
    for (const Part& part : parts_of(model)) {
      if (!m_seen.insert(part.object).second || depth > k_deepest) {
        continue;
      }
      const std::string path = prefix.empty() ? part.name : prefix + "." + part.name;
      // Keras shows a model inside of a model as one layer, torch as its layers.
      if (is_model(*part.object) && !is_keras(*part.object) && !parts_of(*part.object).empty()) {
        add_all(*part.object, path, depth + 1);
      } else {
        add_layer(*part.object, path);
      }
    }
  }

  void add_layer(const Instance& object, const std::string& path)
  {
    LayerSummary& layer = m_summary.layers.emplace_back();
    layer.type = type_of(object);
    const std::string given = given_name(object.made_by);
    const bool numbered = path.find_first_not_of("0123456789") == std::string::npos;
    const auto shared = m_shared.find(&object);
    layer.name = shared != m_shared.end()                         ? shared->second
                 : !given.empty()                                 ? given
                 : is_keras(object) && (numbered || path.empty()) ? m_namer.name(layer.type)
                                                                  : path;
    layer.span = object.made_by != nullptr ? object.made_by->span : object.origin;
    layer.output =
        shape_of(object.applied.empty() ? nullptr : tensor_of(object.applied.front()->result));
    layer.parameters = parameters_of(object, 0);
    if (m_summary.input.empty() && m_summary.layers.size() == 1 && !object.applied.empty()) {
      m_summary.input = shape_of(object.applied.front()->input());
    }
  }

  // A node of a functional model: the application of a layer, or a bare operation.
  void add_call(const Call& call)
  {
    std::vector<std::string> inputs;
    for (const Tensor* input : call.inputs()) {
      const auto known = m_names.find(input->producer);
      inputs.push_back(known != m_names.end() ? known->second : "?");
    }
    if (call.is("input") && m_summary.input.empty()) {
      m_summary.input = shape_of(tensor_of(call.result));
    }
    if (call.layer != nullptr) {
      add_layer(*call.layer, "");
      // A shared layer has its weights once.
      LayerSummary& layer = m_summary.layers.back();
      if (!m_shared.try_emplace(call.layer, layer.name).second) {
        layer.parameters = ParameterCount();
      }
    } else {
      LayerSummary& layer = m_summary.layers.emplace_back();
      layer.type = short_name(call.name);
      const std::string given = given_name(&call);
      layer.name = given.empty() ? m_namer.name(layer.type) : given;
      layer.span = call.span;
      layer.parameters = call.is("input") ? ParameterCount() : count_parameters(call);
    }
    LayerSummary& layer = m_summary.layers.back();
    layer.output = shape_of(tensor_of(call.result));
    layer.inputs = std::move(inputs);
    m_names[&call] = layer.name;
  }

  const Instance& m_model;
  ModelSummary& m_summary;
  Namer m_namer;
  std::set<const Instance*> m_seen;
  std::map<const Call*, std::string> m_names;
  std::map<const Instance*, std::string> m_shared;
};

// Lines of inputs say nothing where each layer follows the one before.
void drop_plain_inputs(ModelSummary& summary)
{
  bool plain = true;
  for (size_t i = 1; i < summary.layers.size(); ++i) {
    const std::vector<std::string>& inputs = summary.layers[i].inputs;
    plain = plain && (inputs.empty() ||
                      (inputs.size() == 1 && inputs.front() == summary.layers[i - 1].name));
  }
  if (plain) {
    for (LayerSummary& layer : summary.layers) {
      layer.inputs.clear();
    }
  }
}

// Objects that other models hold.
std::set<const Instance*> inner_objects(const Program& program)
{
  std::set<const Instance*> inner;
  for (const Instance* object : program.instances()) {
    // Others hold a model without making it a part of theirs, as the history of a training does.
    const bool is_layer = object->api != nullptr && object->api->role == Role::layer;
    if (!is_model(*object) && !is_layer) {
      continue;
    }
    for (const Part& part : parts_of(*object)) {
      if (part.object != object) {
        inner.insert(part.object);
      }
    }
    if (is_model(*object)) {
      for (const Call* call : graph_of(*object)) {
        inner.insert(call->layer);
      }
    }
  }
  return inner;
}

// TensorFlow 1: layers and variables without a model around them.
std::optional<ModelSummary> bare_graph(const Program& program)
{
  ModelSummary summary;
  summary.name = "graph";
  Namer namer;
  std::set<program::Span> seen;
  for (const Call& call : program.calls()) {
    const bool is_weight = call.is("variable") || call.is("parameter");
    const bool is_layer = call.api != nullptr && call.api->role == Role::layer_function;
    const bool is_node = call.layer == nullptr &&
                         (call.has(program::k_pooling) || call.has(program::k_convolution) ||
                          call.is("placeholder") || call.is("matmul"));
    if ((!is_weight && !is_layer && !is_node) || !seen.insert(call.span).second) {
      continue;
    }
    const Tensor* result = tensor_of(call.result);
    LayerSummary& layer = summary.layers.emplace_back();
    layer.type = short_name(call.name);
    const std::string given = given_name(&call);
    layer.name = given.empty() ? namer.name(layer.type) : given;
    layer.span = call.span;
    layer.output = shape_of(result);
    if (is_weight) {
      const std::optional<int64_t> size =
          result != nullptr ? result->shape.elements().constant() : std::nullopt;
      layer.parameters = size ? std::optional(ParameterCount{*size, 0}) : std::nullopt;
    } else {
      layer.parameters = is_layer ? count_parameters(call) : ParameterCount();
    }
    summary.all_known = summary.all_known && layer.parameters.has_value();
    summary.parameters += layer.parameters.value_or(ParameterCount());
  }
  const bool learns = std::ranges::any_of(summary.layers, [](const LayerSummary& layer) {
    return layer.parameters && layer.parameters->all() > 0;
  });
  if (!learns) {
    return std::nullopt;
  }
  summary.span = summary.layers.front().span;
  return summary;
}

} // namespace

std::vector<ModelSummary> summarise_models(const Program& program)
{
  const std::set<const Instance*> inner = inner_objects(program);
  std::map<program::Span, const Instance*> models;
  for (const Instance* object : program.instances()) {
    const bool speculative = object->made_by != nullptr && object->made_by->speculative;
    if (!is_model(*object) || inner.contains(object)) {
      continue;
    }
    const program::Span span = object->klass == nullptr && object->made_by != nullptr
                                   ? object->made_by->span
                                   : object->origin;
    // The same line may run several times; one that was used says most.
    const auto [known, is_new] = models.try_emplace(span, object);
    if (!is_new && known->second->applied.empty() && !speculative) {
      known->second = object;
    }
  }
  std::vector<ModelSummary> summaries;
  for (const auto& [span, object] : models) {
    ModelSummary summary;
    summary.name = type_of(*object);
    summary.span = span;
    Summariser(*object, summary).run();
    drop_plain_inputs(summary);
    if (!summary.layers.empty()) {
      summaries.push_back(std::move(summary));
    }
  }
  if (summaries.empty()) {
    if (std::optional<ModelSummary> graph = bare_graph(program)) {
      summaries.push_back(*std::move(graph));
    }
  }
  return summaries;
}

} // namespace faultline::check
