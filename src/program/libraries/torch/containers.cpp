// Modules that hold modules.

#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace torch {

namespace {

constexpr std::string_view k_open = "@open"; // there are more items than we know

void add_item(Machine& machine, Instance& holder, Ref item)
{
  machine.touch(holder);
  holder.items.push_back(item);
}

void mark_open(Machine& machine, Instance& holder)
{
  machine.touch(holder);
  holder.attributes[k_open] = machine.boolean(true);
}

void add_all(Machine& machine, Instance& holder, Ref list)
{
  if (const auto* sequence = as<Sequence>(list)) {
    for (const Ref item : sequence->items) {
      add_item(machine, holder, item);
    }
    if (sequence->open) {
      if (sequence->rest != nullptr) {
        add_item(machine, holder, sequence->rest);
      }
      mark_open(machine, holder);
    }
  } else if (const auto* dict = as<Dict>(list)) {
    for (const auto& [key, value] : dict->items) {
      add_item(machine, holder, value);
      if (const auto name = machine.to_string(key)) {
        holder.attributes[machine.keep(std::string(*name))] = value;
      }
    }
    if (dict->open) {
      mark_open(machine, holder);
    }
  } else if (const auto* other = as<Instance>(list); other != nullptr && !other->items.empty()) {
    for (const Ref item : other->items) {
      add_item(machine, holder, item);
    }
  } else if (list != nullptr && !machine.is_none(list)) {
    mark_open(machine, holder);
  }
}

bool is_module(Ref value)
{
  const auto* object = as<Instance>(value);
  return object != nullptr && object->api != nullptr &&
         (object->api->role == Role::layer || object->api->role == Role::model ||
          object->api->role == Role::loss);
}

// Where a layer of a container is written.
Span place_of(Ref layer, Span otherwise)
{
  const auto* object = as<Instance>(layer);
  if (object == nullptr) {
    return otherwise;
  }
  return object->made_by != nullptr ? object->made_by->span : otherwise;
}

} // namespace

static Ref hold_layers(Machine& machine, Call& call)
{
  auto* holder = as<Instance>(call.self);
  if (holder == nullptr) {
    return machine.none();
  }
  for (const Argument& argument : call.surplus) {
    if (argument.name == "*") {
      mark_open(machine, *holder);
    } else if (is_module(argument.value)) {
      add_item(machine, *holder, argument.value);
    } else {
      add_all(machine, *holder, argument.value);
    }
  }
  return machine.none();
}

static Ref hold_list(Machine& machine, Call& call)
{
  if (auto* holder = as<Instance>(call.self)) {
    add_all(machine, *holder, operand_value(call, 0));
  }
  return machine.none();
}

static Ref hold_one(Machine& machine, Call& call)
{
  auto* holder = as<Instance>(call.self);
  const Ref module = operand_value(call, 0, "module");
  if (holder != nullptr && module != nullptr) {
    add_item(machine, *holder, module);
    holder->attributes["module"] = module;
  }
  return machine.none();
}

static Ref apply_layers(Machine& machine, Call& call)
{
  const Ref input = operand_value(call, 0, "input");
  if (call.layer == nullptr || input == nullptr || call.layer->attributes.contains(k_open)) {
    return machine.unknown();
  }
  Ref value = input;
  const std::vector<Ref> layers = call.layer->items;
  for (const Ref layer : layers) {
    value = machine.apply(layer, {value}, place_of(layer, call.span));
  }
  return value;
}

static Ref apply_inner(Machine& machine, Call& call)
{
  if (call.layer == nullptr || call.layer->items.empty()) {
    return machine.unknown();
  }
  std::vector<Argument> arguments = call.arguments;
  for (Argument& argument : arguments) {
    if (!argument.name.empty() && argument.name.front() >= '0' && argument.name.front() <= '9') {
      argument.name = {};
    }
  }
  return machine.call(call.layer->items.front(), std::move(arguments), call.span);
}

static Ref append(Machine& machine, Call& call)
{
  auto* holder = as<Instance>(call.self);
  if (holder != nullptr) {
    add_item(machine, *holder, operand_value(call, 0));
  }
  return same_object(machine, call);
}

static Ref extend(Machine& machine, Call& call)
{
  hold_list(machine, call);
  return same_object(machine, call);
}

static Ref insert(Machine& machine, Call& call)
{
  auto* holder = as<Instance>(call.self);
  const auto at = machine.to_int(operand_value(call, 0));
  if (holder != nullptr && at && *at >= 0 && static_cast<size_t>(*at) <= holder->items.size()) {
    machine.touch(*holder);
    holder->items.insert(holder->items.begin() + *at, operand_value(call, 1));
  } else if (holder != nullptr) {
    mark_open(machine, *holder);
  }
  return same_object(machine, call);
}

static Ref any_of(Machine& machine, const std::vector<Ref>& items)
{
  Ref one = nullptr;
  for (const Ref item : items) {
    one = one == nullptr ? item : machine.join(one, item);
  }
  return one != nullptr ? one : machine.unknown();
}

static Ref item_of(Machine& machine, Call& call)
{
  auto* holder = as<Instance>(call.self);
  const Ref index = call.arg("index");
  if (holder == nullptr || index == nullptr) {
    return machine.unknown();
  }
  if (const auto name = machine.to_string(index)) {
    const auto found = holder->attributes.find(*name);
    return found != holder->attributes.end() ? found->second : machine.unknown();
  }
  const auto size = static_cast<int64_t>(holder->items.size());
  if (const auto at = machine.to_int(index)) {
    const int64_t place = *at < 0 ? *at + size : *at;
    return place >= 0 && place < size ? holder->items[static_cast<size_t>(place)]
                                      : machine.unknown();
  }
  if (as<Slice>(index) != nullptr) {
    Sequence* all = machine.list(holder->items);
    const auto* part = as<Sequence>(machine.item(all, index, call));
    Instance* made = machine.instance(*holder->api, holder->made_by);
    if (part != nullptr) {
      made->items = part->items;
    }
    if (part == nullptr || part->open || holder->attributes.contains(k_open)) {
      made->attributes[k_open] = machine.boolean(true);
    }
    made->device = holder->device;
    return made;
  }
  return any_of(machine, holder->items);
}

static Ref values(Machine& machine, Call& call)
{
  auto* holder = as<Instance>(call.self);
  if (holder == nullptr || holder->attributes.contains(k_open)) {
    return machine.open_list(machine.unknown());
  }
  return machine.list(holder->items);
}

static Ref keys(Machine& machine, Call& call)
{
  auto* holder = as<Instance>(call.self);
  std::vector<Ref> names;
  if (holder != nullptr) {
    for (const auto& [name, value] : holder->attributes) {
      if (name.front() != '@') {
        names.push_back(machine.string(std::string(name)));
      }
    }
  }
  return machine.list(std::move(names));
}

static Ref pairs(Machine& machine, Call& call)
{
  auto* holder = as<Instance>(call.self);
  std::vector<Ref> all;
  if (holder != nullptr) {
    for (const auto& [name, value] : holder->attributes) {
      if (name.front() != '@') {
        all.push_back(machine.tuple({machine.string(std::string(name)), value}));
      }
    }
  }
  return machine.list(std::move(all));
}

static Ref set_item(Machine& machine, Call& call)
{
  auto* holder = as<Instance>(call.self);
  const Ref value = operand_value(call, 1, "value");
  if (holder == nullptr || value == nullptr) {
    return machine.none();
  }
  machine.touch(*holder);
  const Ref index = operand_value(call, 0, "index");
  if (const auto name = machine.to_string(index)) {
    holder->attributes[machine.keep(std::string(*name))] = value;
    holder->items.push_back(value);
  } else if (const auto at = machine.to_int(index)) {
    const auto size = static_cast<int64_t>(holder->items.size());
    const int64_t place = *at < 0 ? *at + size : *at;
    if (place >= 0 && place < size) {
      holder->items[static_cast<size_t>(place)] = value;
    }
  } else {
    mark_open(machine, *holder);
  }
  return machine.none();
}

} // namespace torch

std::span<const Api> torch_containers()
{
  using namespace torch;
  constexpr Role m = Role::method;
  constexpr Role model = Role::model;
  static constexpr Api k_rows[] = {
      {"torch.nn.Sequential", "*args", model, "sequential", 0, apply_layers},
      {"torch.nn.Sequential.__init__", "*args", m, {}, 0, hold_layers},
      {"torch.nn.Sequential.append", "module", m, {}, 0, append},
      {"torch.nn.Sequential.extend", "sequential", m, {}, 0, extend},
      {"torch.nn.Sequential.insert", "index, module", m, {}, 0, insert},
      {"torch.nn.Sequential.__getitem__", "index", m, {}, 0, item_of},
      {"torch.nn.Sequential.__setitem__", "index, value", m, {}, 0, set_item},
      {"torch.nn.ModuleList", "modules=None", model, "module_list"},
      {"torch.nn.ModuleList.__init__", "modules=None", m, {}, 0, hold_list},
      {"torch.nn.ModuleList.append", "module", m, {}, 0, append},
      {"torch.nn.ModuleList.extend", "modules", m, {}, 0, extend},
      {"torch.nn.ModuleList.insert", "index, module", m, {}, 0, insert},
      {"torch.nn.ModuleList.__getitem__", "index", m, {}, 0, item_of},
      {"torch.nn.ModuleList.__setitem__", "index, value", m, {}, 0, set_item},
      {"torch.nn.ParameterList", "values=None", model, "module_list"},
      {"torch.nn.ParameterList.__init__", "values=None", m, {}, 0, hold_list},
      {"torch.nn.ParameterList.append", "value", m, {}, 0, append},
      {"torch.nn.ParameterList.extend", "values", m, {}, 0, extend},
      {"torch.nn.ParameterList.__getitem__", "index", m, {}, 0, item_of},
      {"torch.nn.ModuleDict", "modules=None", model, "module_dict"},
      {"torch.nn.ModuleDict.__init__", "modules=None", m, {}, 0, hold_list},
      {"torch.nn.ModuleDict.update", "modules", m, {}, 0, extend},
      {"torch.nn.ModuleDict.keys", "", m, {}, 0, keys},
      {"torch.nn.ModuleDict.values", "", m, {}, 0, values},
      {"torch.nn.ModuleDict.items", "", m, {}, 0, pairs},
      {"torch.nn.ModuleDict.__iter__", "", m, {}},
      {"torch.nn.ModuleDict.__getitem__", "index", m, {}, 0, item_of},
      {"torch.nn.ModuleDict.__setitem__", "index, value", m, {}, 0, set_item},
      {"torch.nn.ParameterDict",
       "parameters=None",
       model,
       "module_dict",
       0,
       nullptr,
       "torch.nn.ModuleDict"},
      {"torch.nn.DataParallel",
       "module, device_ids=None, output_device=None, dim=0",
       model,
       "data_parallel",
       k_wraps,
       apply_inner},
      {"torch.nn.DataParallel.__init__",
       "module, device_ids=None, output_device=None, dim=0",
       m,
       {},
       0,
       hold_one},
      {"torch.nn.parallel.DistributedDataParallel",
       "module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, **kwargs",
       model,
       "data_parallel",
       k_wraps,
       apply_inner},
      {"torch.nn.parallel.DistributedDataParallel.__init__",
       "module, **kwargs",
       m,
       {},
       0,
       hold_one},
      {"torch.nn.parallel.DistributedDataParallel.no_sync", "", m},
      {"torch.nn.parallel.data_parallel",
       "module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None",
       Role::function},
  };
  return k_rows;
}

} // namespace faultline::program
