#include "program/libraries/torch/torch.hpp"

#include "base/format.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/libraries/shared/operators.hpp"
#include "program/values/walk.hpp"

#include <algorithm>
#include <set>

namespace faultline::program::torch {

std::string_view short_name(const Call& call)
{
  const std::string_view name = call.api != nullptr ? call.api->name : std::string_view(call.name);
  return name.substr(name.rfind('.') + 1);
}

const Argument* operand(const Call& call, size_t n, std::string_view name)
{
  if (call.self != nullptr && as<Instance>(call.self) == nullptr) {
    if (n == 0) {
      return nullptr; // it is `self`, which has no argument
    }
    --n;
  }
  if (!name.empty()) {
    if (const Argument* named = call.argument(name)) {
      return named;
    }
    if (const Argument* named = call.keyword(name)) {
      return named;
    }
  }
  if (call.layer != nullptr) {
    static constexpr std::string_view k_places[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    return n < std::size(k_places) ? call.argument(k_places[n]) : nullptr;
  }
  if (n < call.arguments.size()) {
    return &call.arguments[n];
  }
  n -= call.arguments.size();
  return n < call.surplus.size() ? &call.surplus[n] : nullptr;
}

Ref operand_value(const Call& call, size_t n, std::string_view name)
{
  if (n == 0 && call.self != nullptr && as<Instance>(call.self) == nullptr) {
    return call.self;
  }
  const Argument* found = operand(call, n, name);
  return found != nullptr ? found->value : nullptr;
}

Span operand_span(const Call& call, size_t n, std::string_view name)
{
  const Argument* found = operand(call, n, name);
  return found != nullptr && found->given ? found->span : call.span;
}

Tensor& as_tensor(Machine& machine, Ref value)
{
  Tensor* tensor = machine.to_tensor(value);
  return tensor != nullptr ? *tensor
                           : *machine.data(Library::torch, Shape::top(), {}, Interval::top());
}

Tensor& input_of(Machine& machine, Call& call)
{
  return as_tensor(machine, operand_value(call, 0, "input"));
}

Ref option(const Call& call, std::initializer_list<std::string_view> names)
{
  const Call* source = call.layer != nullptr ? call.layer->made_by : &call;
  if (source == nullptr) {
    return nullptr;
  }
  for (const std::string_view name : names) {
    if (const Argument* given = source->given(name)) {
      return given->value;
    }
    if (const Argument* given = source->keyword(name)) {
      return given->value;
    }
  }
  return source->arg(*names.begin());
}

std::optional<int64_t>
int_option(Machine& machine, const Call& call, std::initializer_list<std::string_view> names)
{
  return machine.to_int(option(call, names));
}

bool is_true(Machine& machine, const Call& call, std::string_view name)
{
  return machine.truthiness(option(call, {name})).value_or(false);
}

std::optional<std::vector<Dim>> sizes(Machine& machine, const Call& call, std::string_view name)
{
  if (const Argument* whole = call.argument(name)) {
    return machine.to_dims(whole->value);
  }
  std::vector<Ref> values;
  for (const Argument& argument : call.surplus) {
    if (argument.name == name) {
      return machine.to_dims(argument.value);
    }
    if (argument.name == "*") {
      return std::nullopt;
    }
    if (argument.name.empty()) {
      values.push_back(argument.value);
    }
  }
  if (values.empty()) {
    return std::nullopt;
  }
  if (values.size() == 1 && !is_number(values.front())) {
    return machine.to_dims(values.front());
  }
  std::vector<Dim> dims;
  for (const Ref value : values) {
    dims.push_back(machine.to_dim(value));
  }
  return dims;
}

std::optional<std::vector<int64_t>> ints(Machine& machine, const Call& call, std::string_view name)
{
  const auto dims = sizes(machine, call, name);
  if (!dims) {
    return std::nullopt;
  }
  std::vector<int64_t> numbers;
  for (const Dim& dim : *dims) {
    const auto number = dim.constant();
    if (!number) {
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  return numbers;
}

Tensor* result(Machine& machine, Call& call, const Tensor& input, Shape shape, Interval interval)
{
  Tensor* made = machine.tensor(call, std::move(shape), input.dtype, interval);
  made->library = Library::torch;
  made->device = input.device;
  made->contiguous = Truth::yes;
  return made;
}

Tensor* moved(Machine& machine, Call& call, const Tensor& input, Shape shape)
{
  Tensor* made = machine.like(call, input);
  made->shape = std::move(shape);
  made->literal = nullptr;
  made->contiguous = Truth::unknown;
  return made;
}

Shape checked(Machine& machine, const Call& call, const Shaped& shaped, Span span)
{
  return settle(machine, call, shaped, span);
}

Tensor* parameter(Machine& machine, Shape shape)
{
  Tensor* made =
      machine.data(Library::torch, std::move(shape), DType::Kind::float32, Interval::reals());
  made->requires_grad = Truth::yes;
  made->leaf = Truth::yes;
  made->contiguous = Truth::yes;
  return made;
}

void check_weights_meet(Machine& machine, Call& call, const Tensor& input)
{
  if (call.layer == nullptr) {
    return;
  }
  const Instance& layer = *call.layer;
  const Span span = operand_span(call, 0, "input");
  if (input.dtype == DType(DType::Kind::float64) && layer.made_by != nullptr &&
      !layer.attributes.contains("@dtype") && machine.is_none(layer.made_by->arg("dtype")) &&
      !defaults_changed(machine)) {
    machine
        .problem(ProblemKind::double_meets_float,
                 span,
                 format("`{}` with float32 weights gets a float64 tensor", short_name(call)),
                 &call)
        .help = "convert the input with `.float()`";
  }
  if (input.shape.rank() == 0 || layer.device == Device::top()) {
    return;
  }
  const bool is_chosen_against_cpu =
      layer.device.kind() == Device::Kind::chosen && input.device == Device::cpu();
  if ((layer.device.clashes_with(input.device) || is_chosen_against_cpu) &&
      !defaults_changed(machine)) {
    machine
        .problem(ProblemKind::device,
                 span,
                 format("`{}` on {} gets a tensor on {}",
                        short_name(call),
                        layer.device.text(),
                        input.device.text()),
                 &call)
        .help = "move the input to the device of the model";
  }
}

void check_index_type(Machine& machine, Call& call, const Tensor& index, Span span)
{
  if (index.dtype.is_floating()) {
    machine
        .problem(ProblemKind::index_not_integer,
                 span,
                 format("`{}` gets indices of type {}", short_name(call), index.dtype.text()),
                 &call)
        .help = "convert them with `.long()`";
  }
}

void check_mask_type(Machine& machine, Call& call, const Tensor& mask, Span span)
{
  if (mask.dtype.is_unknown() || mask.dtype == DType(DType::Kind::boolean)) {
    return;
  }
  machine
      .problem(ProblemKind::mask_dtype,
               span,
               format("`{}` gets a mask of type {}", short_name(call), mask.dtype.text()),
               &call)
      .help = "masks are bool: convert with `.bool()`";
}

bool check_rank(Machine& machine,
                Call& call,
                const Tensor& input,
                std::initializer_list<size_t> ranks)
{
  const auto rank = input.shape.rank();
  if (!rank || std::ranges::find(ranks, *rank) != ranks.end()) {
    return true;
  }
  std::string wanted;
  for (const size_t one : ranks) {
    wanted += (wanted.empty() ? "" : " or ") + format("{}", one);
  }
  machine.problem(ProblemKind::rank,
                  operand_span(call, 0, "input"),
                  format("`{}` wants {} axes, but gets a tensor of shape {}",
                         short_name(call),
                         wanted,
                         input.shape.text()),
                  &call);
  return false;
}

bool check_features(Machine& machine,
                    Call& call,
                    const Tensor& input,
                    int64_t axis,
                    std::string_view setting,
                    ProblemKind kind)
{
  const Dim wanted = machine.to_dim(call.setting_value(setting));
  const Dim size = input.shape.at(axis);
  if (wanted.compare(size) != Dim::Comparison::different) {
    return true;
  }
  Problem& problem = machine.problem(kind,
                                     operand_span(call, 0, "input"),
                                     format("`{}` has {} {}, but gets {} in a tensor of shape {}",
                                            short_name(call),
                                            setting,
                                            wanted.text(),
                                            size.text(),
                                            input.shape.text()),
                                     &call);
  if (const Argument* written = call.setting(setting); written != nullptr && written->given) {
    problem.notes.push_back({written->span, format("{} is set here", setting)});
  }
  return false;
}

static bool is_torch_object(const Instance& object)
{
  return object.api != nullptr && object.api->name.starts_with("torch");
}

std::vector<Instance*> modules_of(Instance& module)
{
  std::vector<Instance*> all;
  any_reachable(&module, [&all](Instance& one, const auto& add) {
    all.push_back(&one);
    const auto add_module = [&add](Ref value) {
      if (auto* inner = as<Instance>(value); inner != nullptr && is_torch_object(*inner)) {
        add(inner);
      }
    };
    for (const Ref item : one.items) {
      add_module(item);
    }
    for (const auto& [name, value] : one.attributes) {
      add_module(value);
    }
    return false;
  });
  return all;
}

void move_module(Machine& machine, Instance& module, const std::optional<Device>& device)
{
  for (Instance* one : modules_of(module)) {
    machine.touch(*one);
    one->device = device.value_or(Device::top());
    for (auto& [name, value] : one->attributes) {
      // Parameters and buffers move too, as new tensors.
      if (const auto* tensor = as<Tensor>(value); tensor != nullptr && name.front() != '@') {
        Tensor* there =
            machine.data(tensor->library, tensor->shape, tensor->dtype, tensor->interval);
        *there = *tensor;
        there->device = one->device;
        value = there;
      }
    }
  }
}

Move read_move(Machine& machine, const Call& call)
{
  Move move;
  const auto read = [&](Ref value) {
    if (value == nullptr || machine.is_none(value) || machine.to_bool(value)) {
      return;
    }
    if (const auto* tensor = as<Tensor>(value)) {
      move.device = tensor->device;
      move.dtype = tensor->dtype;
    } else if (const auto dtype = machine.to_dtype(value)) {
      move.dtype = dtype;
    } else if (const auto device = machine.to_device(value)) {
      move.device = device;
    } else {
      move.device_unknown = true;
    }
  };
  for (const Argument& argument : call.arguments) {
    if (argument.given) {
      read(argument.value);
    }
  }
  for (const Argument& argument : call.surplus) {
    read(argument.value);
  }
  return move;
}

Ref same_object(Machine& machine, Call& call)
{
  return call.self != nullptr ? call.self : machine.unknown();
}

Ref nothing(Machine& machine, Call& /*call*/)
{
  return machine.none();
}

Ref first_argument(Machine& machine, Call& call)
{
  const Ref value = operand_value(call, 0);
  return value != nullptr ? value : machine.unknown();
}

} // namespace faultline::program::torch
