#include "rules/structure/initial.hpp"

#include "rules/facts.hpp"
#include "rules/values.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace faultline::rules {

namespace {

using program::as;

bool is_random_op(std::string_view op)
{
  constexpr std::array<std::string_view, 12> k_ops = {"random_normal",
                                                      "random_uniform",
                                                      "truncated_normal",
                                                      "variance_scaling",
                                                      "orthogonal",
                                                      "glorot_normal",
                                                      "glorot_uniform",
                                                      "he_normal",
                                                      "he_uniform",
                                                      "lecun_normal",
                                                      "lecun_uniform",
                                                      "xavier"};
  return std::ranges::find(k_ops, op) != k_ops.end();
}

// Standard deviation, or half the range, of the call that draws the numbers.
std::optional<double> spread_of(const Call* call)
{
  if (call == nullptr) {
    return std::nullopt;
  }
  for (const std::string_view name : {"stddev", "std"}) {
    if (const Ref deviation = call->arg(name)) {
      return number_of(deviation);
    }
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> k_ranges = {
      {{"minval", "maxval"}, {"a", "b"}, {"from", "to"}}};
  for (const auto& [low, high] : k_ranges) {
    const auto from = number_of(call->arg(low));
    const auto to = number_of(call->arg(high));
    if (from && to) {
      return (*to - *from) / 2;
    }
  }
  return std::nullopt;
}

// What a layer takes as initializer of a part.
const program::Argument* initializer_of(const Call& layer, Part part)
{
  return part == Part::weights
             ? written_setting(layer, {"kernel_initializer", "weights_initializer"})
             : written_setting(layer, {"bias_initializer", "biases_initializer"});
}

// The bias that is added to what `layer` gives, where the program does so itself.
const Tensor* added_bias(const Program& program, const Call& layer)
{
  const auto* output = as<Tensor>(layer.result);
  if (output == nullptr) {
    return nullptr;
  }
  for (const Call* use : uses_of(program, output)) {
    if (use->is("add")) {
      for (const Tensor* operand : use->inputs()) {
        if (operand != output && is_weight(operand)) {
          return operand;
        }
      }
    }
  }
  return nullptr;
}

// A parameter of a PyTorch layer.
struct Parameter {
  const Instance* layer = nullptr;
  Part part = Part::weights;
};

std::map<const Tensor*, Parameter> torch_parameters(const Program& program)
{
  std::map<const Tensor*, Parameter> found;
  for (const Instance* object : program.instances()) {
    for (const auto& [name, value] : object->attributes) {
      const auto* tensor = as<Tensor>(value);
      if (tensor != nullptr && object->klass == nullptr && (name == "weight" || name == "bias")) {
        found[tensor] = {object, name == "weight" ? Part::weights : Part::bias};
      }
    }
  }
  return found;
}

// What an in-place call such as nn.init.zeros_ or w.data.fill_ writes.
Initial written_values(const Call& call)
{
  const std::string_view name = std::string_view(call.name).substr(call.name.rfind('.') + 1);
  Initial initial;
  initial.span = call.span;
  if (name == "zeros_" || name == "zero_") {
    initial.constant = 0.0;
  } else if (name == "ones_") {
    initial.constant = 1.0;
  } else if (name == "constant_" || name == "fill_") {
    initial.constant = number_of(call.arg(name == "fill_" ? "value" : "val"));
  } else if (name.ends_with("normal_") || name.ends_with("uniform_")) {
    initial.is_random = true;
    initial.spread = spread_of(&call);
  }
  return initial;
}

bool is_initialising(const Call& call)
{
  return call.name.starts_with("torch.nn.init.") ||
         (call.name.starts_with("torch.Tensor.") && call.name.ends_with("_"));
}

// PyTorch fills the weights of a layer after it was made; the last call counts.
void add_torch_beginnings(const Program& program, Part part, std::vector<Beginning>& found)
{
  const std::map<const Tensor*, Parameter> parameters = torch_parameters(program);
  std::map<const Instance*, Initial> last;
  for (const Call& call : program.calls()) {
    const Tensor* target = is_initialising(call) ? call.input() : nullptr;
    while (target != nullptr && target->producer != nullptr && target->producer->is("detach")) {
      target = target->producer->input();
    }
    const auto owner = parameters.find(target);
    if (owner == parameters.end() || owner->second.part != part) {
      continue;
    }
    last[owner->second.layer] = written_values(call);
  }
  for (const auto& [layer, initial] : last) {
    for (const Call* applied : layer->applied) {
      found.push_back({applied, initial});
    }
  }
}

// The first values of a variable.
std::optional<Initial> variable_initial(const Tensor* variable)
{
  const Call* maker = value_producer(variable);
  if (maker == nullptr || !(maker->is("variable") || maker->is("parameter"))) {
    return std::nullopt;
  }
  if (const program::Argument* initializer = maker->given("initializer")) {
    return initial_of(initializer->value, initializer->span);
  }
  for (const std::string_view name : {"initial_value", "data", "value"}) {
    if (const auto* values = as<Tensor>(maker->arg(name))) {
      return initial_of(values);
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<Initial> initial_of(Ref initializer, Span span)
{
  const std::string_view op = op_of(initializer);
  const auto* object = as<Instance>(initializer);
  const Call* made = object != nullptr ? object->made_by : nullptr;
  Initial initial;
  initial.span = span;
  if (op == "zeros" || op == "ones") {
    initial.constant = op == "ones" ? 1.0 : 0.0;
  } else if (op == "constant") {
    initial.constant = made != nullptr ? number_of(made->arg("value")) : std::optional(0.0);
  } else if (is_random_op(op)) {
    initial.is_random = true;
    initial.spread = spread_of(made);
  }
  return initial.constant || initial.is_random ? std::optional(initial) : std::nullopt;
}

std::optional<Initial> initial_of(const Tensor* values)
{
  const Call* maker = value_producer(values);
  Initial initial;
  initial.span = values->origin;
  if (maker != nullptr && is_random_op(maker->op())) {
    initial.is_random = true;
    initial.spread = spread_of(maker);
    return initial;
  }
  initial.constant = values->interval.value();
  return initial.constant ? std::optional(initial) : std::nullopt;
}

std::vector<Beginning> beginnings(const Program& program, Part part)
{
  std::vector<Beginning> found;
  for (const Call& call : program.calls()) {
    if (!is_learning(call)) {
      continue;
    }
    std::optional<Initial> initial;
    if (const program::Argument* initializer = initializer_of(call, part)) {
      initial = initial_of(initializer->value, initializer->span);
    } else if (const Tensor* weights = weight_of(call)) {
      initial = variable_initial(part == Part::weights ? weights : added_bias(program, call));
    }
    if (initial) {
      found.push_back({&call, *initial});
    }
  }
  add_torch_beginnings(program, part, found);
  return found;
}

} // namespace faultline::rules
