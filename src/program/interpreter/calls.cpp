#include "program/interpreter/calls.hpp"

#include "program/interpreter/attributes.hpp"
#include "program/interpreter/files.hpp"
#include "program/interpreter/functions.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/library_calls.hpp"
#include "program/values/classes.hpp"

#include <algorithm>
#include <array>

namespace faultline::program {

static Ref call_unknown(Interpreter& m, Ref callee, std::vector<Argument> arguments, Span span);

Ref call_unknown(
    Interpreter& m, std::string name, Ref self, std::vector<Argument> arguments, Span span)
{
  m.stand_at(span);
  const bool gets_objects = std::ranges::any_of(arguments, [](const Argument& argument) {
    return argument.value->kind == Kind::instance || argument.value->kind == Kind::tensor ||
           argument.value->kind == Kind::unknown;
  });
  if (!gets_objects && !name.starts_with("?.")) {
    return m.unknown();
  }
  Call& call = m.record(std::move(name), nullptr, span);
  call.self = self;
  call.surplus = std::move(arguments);
  return m.finish(call, m.unknown());
}

static Ref call_unknown(Interpreter& m, Ref callee, std::vector<Argument> arguments, Span span)
{
  const auto* what = as<Unknown>(callee);
  return what != nullptr && !what->attribute.empty()
             ? call_unknown(
                   m, "?." + std::string(what->attribute), what->object, std::move(arguments), span)
             : call_unknown(m, "?", callee, std::move(arguments), span);
}

// A class without a constructor that is given arguments is a data class: they are its fields, in
// the order in which the body declares them.
static void
fill_fields(const Class& klass, Instance& object, const std::vector<Argument>& arguments)
{
  std::vector<std::string_view> fields;
  for (const Syntax* statement : klass.definition->child(0)->children) {
    const bool declares =
        statement->kind == SyntaxKind::assign || statement->kind == SyntaxKind::annotate;
    if (declares && statement->child(0)->kind == SyntaxKind::name) {
      fields.push_back(statement->child(0)->text);
    }
  }
  size_t next = 0;
  for (const Argument& argument : arguments) {
    if (!argument.name.empty() && argument.name != "*" && argument.name != "**") {
      object.attributes[argument.name] = argument.value;
    } else if (argument.name.empty() && next < fields.size()) {
      object.attributes[fields[next++]] = argument.value;
    }
  }
}

Ref call_class(Interpreter& m, Class& klass, std::vector<Argument> arguments, Span span)
{
  klass.instantiated = true;
  m.stand_at(span);
  auto* object = m.make<Instance>();
  object->klass = &klass;
  object->api = klass.api_base;
  object->origin = span;
  m.first_instances.try_emplace(&klass, object);
  if (klass.api_base != nullptr) {
    m.note_instance(*object);
  }
  if (auto* constructor = as<Function>(find_in_class(klass, "__init__"))) {
    call_function(m, *constructor, object, std::move(arguments), span);
  } else if (klass.api_base == nullptr) {
    fill_fields(klass, *object, arguments);
  } else {
    Call& call = m.record(std::string(klass.api_base->name), klass.api_base, span);
    bind_arguments(m, call, *klass.api_base, std::move(arguments));
    object->made_by = &call;
    m.finish(call, object);
  }
  return object;
}

static Ref sizes(Machine& m, const Shape& shape)
{
  std::vector<Ref> items;
  for (const Dim& dim : shape.dims()) {
    items.push_back(m.integer(dim));
  }
  return m.tuple(std::move(items));
}

static Ref
call_instance(Interpreter& m, Instance& object, std::vector<Argument> arguments, Span span)
{
  if (object.klass != nullptr) {
    for (const std::string_view entry : {"__call__", "forward", "call"}) {
      if (entry != "__call__" && object.api == nullptr) {
        break;
      }
      auto* function = as<Function>(find_in_class(*object.klass, entry));
      if (function == nullptr) {
        continue;
      }
      // The application of a user's module is an event of its own; its graph is what it does
      // inside.
      Call* event = nullptr;
      if (object.api != nullptr) {
        event = &m.record(std::string(object.api->name), object.api, span);
        event->layer = &object;
        event->arguments = arguments;
        // Keras makes the weights of a layer when it first sees the shape of its input.
        auto* build = as<Function>(find_in_class(*object.klass, "build"));
        if (build != nullptr && entry == "call" && object.applied.empty() && !arguments.empty()) {
          const Tensor* input = m.to_tensor(arguments.front().value);
          const Ref shape =
              input != nullptr && input->shape.has_rank() ? sizes(m, input->shape) : m.unknown();
          call_function(m,
                        *build,
                        &object,
                        {{.name = {}, .value = shape, .span = span, .given = true}},
                        span);
        }
        object.applied.push_back(event);
        for (Argument& argument : arguments) {
          if (argument.value->kind == Kind::unknown && argument.name.empty()) {
            argument.value = m.to_tensor(argument.value);
          }
        }
      }
      const Ref result = call_function(m, *function, &object, std::move(arguments), span);
      if (event != nullptr) {
        m.finish(*event, result);
      }
      return result;
    }
  }
  if (object.api == nullptr) {
    return m.unknown();
  }
  m.stand_at(span);
  const Api* entry = find_method(*object.api, "__call__");
  const bool applied = object.api->role == Role::layer || object.api->role == Role::model ||
                       object.api->role == Role::loss;
  if (entry == nullptr && !applied) {
    return m.unknown();
  }
  Call& call = m.record(std::string(object.api->name), object.api, span);
  call.layer = &object;
  if (entry != nullptr) {
    bind_arguments(m, call, *entry, std::move(arguments));
  } else {
    static constexpr std::array<std::string_view, 8> k_numbers = {
        "0", "1", "2", "3", "4", "5", "6", "7"};
    size_t next = 0;
    for (Argument& argument : arguments) {
      if (argument.name.empty() && next < k_numbers.size()) {
        argument.name = k_numbers[next++];
      }
    }
    call.arguments = std::move(arguments);
  }
  if (applied && !call.arguments.empty() && call.arguments.front().value->kind == Kind::unknown) {
    call.arguments.front().value = m.to_tensor(call.arguments.front().value);
  }
  take_for_tensor(m, call);
  object.applied.push_back(&call);
  if (entry != nullptr && entry->transfer != nullptr) {
    return m.finish(call, entry->transfer(m, call));
  }
  return m.finish(call,
                  object.api->transfer != nullptr ? object.api->transfer(m, call)
                                                  : default_result(m, call));
}

Ref call_value(Interpreter& m, Ref callee, std::vector<Argument> arguments, Span span)
{
  const Deeper deeper(m);
  if (deeper.too_deep()) {
    m.stand_at(span);
    return m.unknown();
  }
  switch (callee->kind) {
  case Kind::function:
    return call_function(m, *as<Function>(callee), nullptr, std::move(arguments), span);
  case Kind::bound: {
    auto* bound = as<Bound>(callee);
    return call_function(m, *bound->function, bound->self, std::move(arguments), span);
  }
  case Kind::klass:
    return call_class(m, *as<Class>(callee), std::move(arguments), span);
  case Kind::instance:
    return call_instance(m, *as<Instance>(callee), std::move(arguments), span);
  case Kind::api:
    return call_api_name(m, *as<ApiName>(callee), std::move(arguments), span);
  case Kind::module:
    return m.call(resolve(m, callee), std::move(arguments), span);
  case Kind::choice: {
    Ref result = nullptr;
    for (const Ref option : as<Choice>(callee)->options) {
      if (option->kind == Kind::none || option->kind == Kind::module) {
        continue;
      }
      const Ref one = m.call(option, arguments, span);
      result = result == nullptr ? one : m.join(result, one);
    }
    return result != nullptr ? result : m.unknown();
  }
  default:
    return call_unknown(m, callee, std::move(arguments), span);
  }
}

} // namespace faultline::program
