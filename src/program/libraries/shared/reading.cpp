#include "program/libraries/shared/reading.hpp"

#include "base/result.hpp"

#include <string>

namespace faultline::program {

std::vector<Ref> Items::all() const
{
  std::vector<Ref> result = items;
  if (rest != nullptr) {
    result.push_back(rest);
  }
  return result;
}

static constexpr size_t k_most_characters = 128;

Items expand(Machine& machine, Ref iterable, Span span)
{
  Items result;
  if (const auto* sequence = as<Sequence>(iterable)) {
    result.items = sequence->items;
    result.open = sequence->open;
    if (result.open) {
      result.rest = sequence->rest != nullptr ? sequence->rest : machine.unknown();
    }
    return result;
  }
  if (const auto* dict = as<Dict>(iterable)) {
    for (const auto& [key, value] : dict->items) {
      result.items.push_back(key);
    }
    result.open = dict->open;
    if (result.open) {
      result.rest = machine.unknown();
    }
    return result;
  }
  if (const auto text = machine.to_string(iterable); text && text->size() <= k_most_characters) {
    for (const char c : *text) {
      result.items.push_back(machine.string(std::string(1, c)));
    }
    return result;
  }
  result.open = true;
  result.rest = machine.iterate(iterable, span);
  return result;
}

Ref take(Machine& machine, const Call& call, std::string_view parameter)
{
  const Ref value = call.arg(parameter);
  return value != nullptr ? value : machine.unknown();
}

std::vector<Ref> positional(const Call& call)
{
  std::vector<Ref> result;
  for (const Argument& argument : call.surplus) {
    if (argument.name.empty()) {
      result.push_back(argument.value);
    }
  }
  return result;
}

Ref join_all(Machine& machine, const std::vector<Ref>& values)
{
  Ref result = nullptr;
  for (const Ref value : values) {
    result = result == nullptr ? value : machine.join(result, value);
  }
  return result;
}

bool is_number(Ref value)
{
  if (const auto* constant = as<Constant>(value)) {
    return !std::holds_alternative<std::string>(constant->value);
  }
  return as<Number>(value) != nullptr;
}

bool is_integral(Ref value)
{
  if (const auto* constant = as<Constant>(value)) {
    return std::holds_alternative<int64_t>(constant->value) ||
           std::holds_alternative<bool>(constant->value);
  }
  const auto* number = as<Number>(value);
  return number != nullptr && number->integer;
}

bool is_text(Ref value)
{
  if (const auto* constant = as<Constant>(value)) {
    return std::holds_alternative<std::string>(constant->value);
  }
  return as<Text>(value) != nullptr;
}

bool is_float_constant(Ref value)
{
  const auto* constant = as<Constant>(value);
  return constant != nullptr && std::holds_alternative<double>(constant->value);
}

std::string_view path_of(Ref value)
{
  const auto* name = as<ApiName>(value);
  return name != nullptr ? std::string_view(name->path) : std::string_view();
}

Instance* object_of(Machine& machine, std::string_view path, Call& call)
{
  const Api* const api = find_api(path);
  FL_ASSERT(api != nullptr, "the tables have a row for every class they make objects of");
  return machine.instance(*api, &call);
}

Ref find_attribute(const Instance& object, std::string_view name)
{
  const auto place = object.attributes.find(name);
  return place != object.attributes.end() ? place->second : nullptr;
}

void set_field(Machine& machine, Instance& object, std::string_view name, Ref value)
{
  machine.touch(object);
  if (const auto place = object.attributes.find(name); place != object.attributes.end()) {
    place->second = value;
  } else {
    object.attributes.emplace(machine.keep(std::string(name)), value);
  }
}

} // namespace faultline::program
