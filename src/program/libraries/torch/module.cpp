// torch.nn.Module: what every module can do.

#include "base/format.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/reading.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"

#include <algorithm>
#include <charconv>

namespace faultline::program {

namespace torch {

namespace {

// A default of a signature.
Ref literal(Machine& machine, std::string_view text)
{
  if (text == "None") {
    return machine.none();
  }
  if (text == "True" || text == "False") {
    return machine.boolean(text == "True");
  }
  if (text.front() == '\'') {
    return machine.string(std::string(text.substr(1, text.size() - 2)));
  }
  int64_t whole = 0;
  if (const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
      error == std::errc() && end == text.data() + text.size()) {
    return machine.integer(whole);
  }
  double number = 0;
  if (const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      error == std::errc() && end == text.data() + text.size()) {
    return machine.real(number);
  }
  return machine.unknown();
}

// super().__init__(3, 8, kernel_size=3) of a class that derives from Conv2d: the call becomes the
// constructor's, so that the settings are found.
void adopt_arguments(Machine& machine, Instance& module, Call& call)
{
  std::vector<Argument> given = std::move(call.surplus);
  call.surplus.clear();
  call.arguments.clear();
  size_t next = 0;
  for (const Parameter& parameter : parameters_of(*module.api)) {
    if (parameter.form == Parameter::Form::star || parameter.form == Parameter::Form::double_star) {
      continue;
    }
    Argument bound{.name = parameter.name, .value = nullptr, .span = call.span, .given = false};
    while (next < given.size() && !given[next].name.empty()) {
      ++next;
    }
    const Argument* source = nullptr;
    if (next < given.size()) {
      source = &given[next++];
    }
    for (const Argument& argument : given) {
      if (argument.name == parameter.name) {
        source = &argument;
      }
    }
    if (source != nullptr) {
      bound.value = source->value;
      bound.span = source->span;
      bound.given = true;
    } else if (!parameter.fallback.empty()) {
      bound.value = literal(machine, parameter.fallback);
    }
    if (bound.value != nullptr) {
      call.arguments.push_back(bound);
    }
  }
  module.made_by = &call;
}

void check_division(Machine& machine,
                    const Call& call,
                    std::string_view whole,
                    std::string_view parts,
                    ProblemKind kind)
{
  const auto size = machine.to_int(call.arg(whole));
  const auto count = machine.to_int(call.arg(parts));
  if (!size || !count || *count <= 0 || *size % *count == 0) {
    return;
  }
  const Argument* written = call.given(whole);
  machine.problem(kind,
                  written != nullptr ? written->span : call.span,
                  format("{} {} is not divisible by {} {}", whole, *size, parts, *count),
                  &call);
}

Instance* module_of(const Call& call)
{
  return as<Instance>(call.self);
}

Tensor* some_parameter(Machine& machine)
{
  return parameter(machine, Shape::top());
}

std::vector<Ref> children_of(const Instance& module)
{
  std::vector<Ref> children = module.items;
  for (const auto& [name, value] : module.attributes) {
    const auto* child = as<Instance>(value);
    if (child != nullptr && child->api != nullptr && child->api->name.starts_with("torch") &&
        std::ranges::find(module.items, value) == module.items.end()) {
      children.push_back(value);
    }
  }
  return children;
}

} // namespace

static Ref construct(Machine& machine, Call& call)
{
  Instance* module = module_of(call);
  if (module == nullptr || module->api == nullptr) {
    return machine.none();
  }
  if (module->made_by == nullptr && module->api->name != "torch.nn.Module") {
    adopt_arguments(machine, *module, call);
  }
  if (module->made_by != &call) {
    return machine.none();
  }
  const std::string_view op = module->api->op;
  if (op == "conv") {
    check_division(machine, call, "in_channels", "groups", ProblemKind::groups);
    check_division(machine, call, "out_channels", "groups", ProblemKind::groups);
  } else if (op == "group_norm") {
    check_division(machine, call, "num_channels", "num_groups", ProblemKind::groups);
  } else if (op == "attention") {
    check_division(machine, call, "embed_dim", "num_heads", ProblemKind::attention_shape);
  } else if (op == "transformer") {
    check_division(machine, call, "d_model", "nhead", ProblemKind::attention_shape);
  }
  if (const auto device = machine.to_device(call.arg("device"))) {
    module->device = *device;
  }
  return machine.none();
}

static void set_type(Machine& machine, Instance& module, DType dtype)
{
  for (Instance* one : modules_of(module)) {
    machine.touch(*one);
    if (dtype == DType(DType::Kind::float32)) {
      one->attributes.erase("@dtype");
    } else {
      one->attributes["@dtype"] = machine.string(std::string(dtype.text()));
    }
  }
}

static Ref to(Machine& machine, Call& call)
{
  if (Instance* module = module_of(call)) {
    const Move move = read_move(machine, call);
    if (move.device || move.device_unknown) {
      move_module(machine, *module, move.device);
    }
    if (move.dtype) {
      set_type(machine, *module, *move.dtype);
    }
  }
  return same_object(machine, call);
}

static Ref to_cuda(Machine& machine, Call& call)
{
  if (Instance* module = module_of(call)) {
    const auto index = int_option(machine, call, {"device"});
    move_module(
        machine, *module, index ? Device::cuda(static_cast<int32_t>(*index)) : Device::cuda());
  }
  return same_object(machine, call);
}

static Ref to_cpu(Machine& machine, Call& call)
{
  if (Instance* module = module_of(call)) {
    move_module(machine, *module, Device::cpu());
  }
  return same_object(machine, call);
}

static Ref to_type(Machine& machine, Call& call)
{
  if (Instance* module = module_of(call)) {
    set_type(
        machine, *module, DType::named(format("torch.{}", short_name(call))).value_or(DType()));
  }
  return same_object(machine, call);
}

static Ref parameters(Machine& machine, Call& /*call*/)
{
  return machine.open_list(some_parameter(machine));
}

static Ref named_parameters(Machine& machine, Call& /*call*/)
{
  return machine.open_list(machine.tuple({machine.text(), some_parameter(machine)}));
}

static Ref named(Machine& machine, const std::vector<Ref>& modules)
{
  std::vector<Ref> pairs;
  for (const Ref module : modules) {
    pairs.push_back(machine.tuple({machine.text(), module}));
  }
  return machine.list(std::move(pairs));
}

static std::vector<Ref> all_modules(const Call& call)
{
  std::vector<Ref> all;
  if (Instance* module = module_of(call)) {
    for (Instance* one : modules_of(*module)) {
      all.push_back(one);
    }
  }
  return all;
}

static Ref modules(Machine& machine, Call& call)
{
  return machine.list(all_modules(call));
}

static Ref named_modules(Machine& machine, Call& call)
{
  return named(machine, all_modules(call));
}

// A ready-made network has layers that our tables do not list.
static bool is_ready_made(const Instance& module)
{
  return module.klass == nullptr && module.api != nullptr &&
         module.api->name.starts_with("torchvision.");
}

static Ref children(Machine& machine, Call& call)
{
  const Instance* module = module_of(call);
  return module != nullptr && !is_ready_made(*module)
             ? static_cast<Ref>(machine.list(children_of(*module)))
             : machine.unknown();
}

static Ref named_children(Machine& machine, Call& call)
{
  const Instance* module = module_of(call);
  return module != nullptr && !is_ready_made(*module) ? named(machine, children_of(*module))
                                                      : machine.unknown();
}

static Ref apply(Machine& machine, Call& call)
{
  const Ref function = operand_value(call, 0, "fn");
  if (function != nullptr) {
    for (const Ref module : all_modules(call)) {
      machine.call(function, std::vector<Ref>{module}, call.span);
    }
  }
  return same_object(machine, call);
}

// register_buffer(name, tensor), add_module(name, module).
static Ref set_named(Machine& machine, Call& call)
{
  Instance* module = module_of(call);
  const auto name = machine.to_string(operand_value(call, 0));
  const Ref value = operand_value(call, 1);
  if (module == nullptr || value == nullptr) {
    return machine.none();
  }
  if (name) {
    machine.set_attribute(module, machine.keep(std::string(*name)), value, call.span);
  }
  if (module->api != nullptr && module->api->op == "sequential") {
    machine.touch(*module);
    module->items.push_back(value);
  }
  return machine.none();
}

static Ref forward(Machine& machine, Call& call)
{
  const Ref self = call.self;
  auto* module = as<Instance>(self);
  // A user's class has a forward of its own; what remains is a framework's layer.
  if (module == nullptr || module->klass != nullptr) {
    return machine.unknown();
  }
  return machine.call(self, call.surplus, call.span);
}

// in_features, kernel_size …: what the constructor was given.
static Ref constructor_argument(Machine& machine, Call& call)
{
  const Instance* module = module_of(call);
  if (module == nullptr || module->made_by == nullptr) {
    return machine.unknown();
  }
  const Ref value = module->made_by->arg(short_name(call));
  return value != nullptr ? value : machine.unknown();
}

static Shape weight_shape(Machine& machine, const Instance& module)
{
  const Call& made = *module.made_by;
  const auto size = [&](std::string_view name) { return machine.to_dim(made.arg(name)); };
  const std::string_view op = module.api->op;
  if (op == "dense") {
    return Shape::of({size("out_features"), size("in_features")});
  }
  if (op == "embedding") {
    return Shape::of({size("num_embeddings"), size("embedding_dim")});
  }
  if (op == "batch_norm" || op == "instance_norm") {
    return Shape::of({size("num_features")});
  }
  if (op == "group_norm") {
    return Shape::of({size("num_channels")});
  }
  if (op == "layer_norm") {
    const auto dims = machine.to_dims(made.arg("normalized_shape"));
    return dims ? Shape::of(*dims) : Shape::top();
  }
  if (op == "conv") {
    const auto n = static_cast<size_t>(module.api->number);
    const auto groups = machine.to_int(made.arg("groups"));
    const auto kernel = machine.to_ints(made.arg("kernel_size"), n);
    const bool transposed = module.api->has(k_transposed);
    const Dim in = size("in_channels");
    const Dim out = size("out_channels");
    const auto share = [&](const Dim& channels) {
      return groups ? channels.floor_div(*groups) : Dim::top();
    };
    std::vector<Dim> dims = {transposed ? in : out, transposed ? share(out) : share(in)};
    for (size_t i = 0; i < n; ++i) {
      dims.push_back(kernel ? Dim::constant((*kernel)[i]) : Dim::top());
    }
    return Shape::of(std::move(dims));
  }
  return Shape::top();
}

static Ref weight(Machine& machine, Call& call)
{
  Instance* module = module_of(call);
  if (module == nullptr || module->made_by == nullptr || module->api == nullptr) {
    return some_parameter(machine);
  }
  Shape shape = weight_shape(machine, *module);
  if (short_name(call) == "bias" && shape.has_rank()) {
    const bool transposed = module->api->has(k_transposed);
    shape = transposed ? Shape::of({machine.to_dim(module->made_by->arg("out_channels"))})
            : module->api->op == "layer_norm" ? shape
                                              : Shape::of({shape.at(0)});
  }
  if (short_name(call) == "bias" && machine.to_bool(module->made_by->arg("bias")) == false) {
    return machine.none();
  }
  Tensor* made = parameter(machine, shape);
  made->device = module->device;
  machine.touch(*module);
  module->attributes[machine.keep(std::string(short_name(call)))] = made;
  return made;
}

} // namespace torch

std::span<const Api> torch_module()
{
  using namespace torch;
  constexpr Role m = Role::method;
  constexpr Role a = Role::attribute;
  static constexpr Api k_rows[] = {
      {"torch.nn.Module", "*args, **kwargs", Role::model, "module"},
      {"torch.nn.Module.__init__", "*args, **kwargs", m, {}, 0, construct},
      {"torch.nn.Module.to",
       "*args, device=None, dtype=None, non_blocking=False, memory_format=None",
       m,
       "to_device",
       0,
       to},
      {"torch.nn.Module.to_empty", "*, device, recurse=True", m, "to_device", 0, to},
      {"torch.nn.Module.cuda", "device=None", m, "to_device", 0, to_cuda},
      {"torch.nn.Module.xpu", "device=None", m, "to_device", 0, to_cuda},
      {"torch.nn.Module.cpu", "", m, "to_device", 0, to_cpu},
      {"torch.nn.Module.float", "", m, "cast", 0, to_type},
      {"torch.nn.Module.double", "", m, "cast", 0, to_type},
      {"torch.nn.Module.half", "", m, "cast", 0, to_type},
      {"torch.nn.Module.bfloat16", "", m, "cast", 0, to_type},
      {"torch.nn.Module.type", "dst_type", m, "cast", 0, same_object},
      {"torch.nn.Module.train", "mode=True", m, "train_mode", 0, same_object},
      {"torch.nn.Module.eval", "", m, "eval_mode", 0, same_object},
      {"torch.nn.Module.requires_grad_", "requires_grad=True", m, {}, k_in_place, same_object},
      {"torch.nn.Module.share_memory", "", m, {}, 0, same_object},
      {"torch.nn.Module.compile", "*args, **kwargs", m, {}, 0, nothing},
      {"torch.nn.Module.zero_grad", "set_to_none=True", m, "zero_grad", 0, nothing},
      {"torch.nn.Module.parameters", "recurse=True", m, "parameters", 0, parameters},
      {"torch.nn.Module.named_parameters",
       "prefix='', recurse=True, remove_duplicate=True",
       m,
       "parameters",
       0,
       named_parameters},
      {"torch.nn.Module.buffers", "recurse=True", m, {}, 0, parameters},
      {"torch.nn.Module.named_buffers", "prefix='', recurse=True", m, {}, 0, named_parameters},
      {"torch.nn.Module.modules", "", m, {}, 0, modules},
      {"torch.nn.Module.named_modules",
       "memo=None, prefix='', remove_duplicate=True",
       m,
       {},
       0,
       named_modules},
      {"torch.nn.Module.children", "", m, {}, 0, children},
      {"torch.nn.Module.named_children", "", m, {}, 0, named_children},
      {"torch.nn.Module.state_dict", "*args, **kwargs", m, "state_dict", 0, answers::dict},
      {"torch.nn.Module.load_state_dict",
       "state_dict, strict=True, assign=False",
       m,
       "load_weights"},
      {"torch.nn.Module.apply", "fn", m, {}, 0, apply},
      {"torch.nn.Module.register_buffer", "name, tensor, persistent=True", m, {}, 0, set_named},
      {"torch.nn.Module.register_parameter", "name, param", m, {}, 0, set_named},
      {"torch.nn.Module.add_module", "name, module", m, "add_layer", 0, set_named},
      {"torch.nn.Module.register_module", "name, module", m, "add_layer", 0, set_named},
      {"torch.nn.Module.get_submodule", "target", m},
      {"torch.nn.Module.get_parameter", "target", m},
      {"torch.nn.Module.get_buffer", "target", m},
      {"torch.nn.Module.register_forward_hook", "hook, **kwargs", m},
      {"torch.nn.Module.register_forward_pre_hook", "hook, **kwargs", m},
      {"torch.nn.Module.register_backward_hook", "hook", m},
      {"torch.nn.Module.register_full_backward_hook", "hook, prepend=False", m},
      {"torch.nn.Module.extra_repr", "", m},
      {"torch.nn.Module.forward", "*args, **kwargs", m, "forward", 0, forward},
      {"torch.nn.Module.training", "", a, {}, 0, answers::truth},
      {"torch.nn.Module._modules", "", a},
      {"torch.nn.Module._parameters", "", a},
      {"torch.nn.Module._buffers", "", a},
      {"torch.nn.Module.reset_parameters", "", m},
      {"torch.nn.Module._reset_parameters", "", m},
      {"torch.nn.Module.weight", "", a, {}, 0, weight},
      {"torch.nn.Module.bias", "", a, {}, 0, weight},
      {"torch.nn.Module.running_mean", "", a},
      {"torch.nn.Module.running_var", "", a},
      {"torch.nn.Module.in_features", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.out_features", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.in_channels", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.out_channels", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.kernel_size", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.stride", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.padding", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.dilation", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.groups", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.num_features", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.num_embeddings", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.embedding_dim", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.padding_idx", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.input_size", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.hidden_size", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.num_layers", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.batch_first", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.bidirectional", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.embed_dim", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.num_heads", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.d_model", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.normalized_shape", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.eps", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.momentum", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.affine", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.p", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.inplace", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.negative_slope", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.reduction", "", a, {}, 0, constructor_argument},
      {"torch.nn.Module.ignore_index", "", a, {}, 0, constructor_argument},
  };
  return k_rows;
}

} // namespace faultline::program
