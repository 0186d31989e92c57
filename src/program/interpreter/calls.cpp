#include "base/format.hpp"
#include "base/text.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/values/classes.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace faultline::program {

Ref Interpreter::call(Ref callee, std::vector<Argument> arguments, Span span)
{
  const Deeper deeper(*this);
  if (deeper.too_deep()) {
    m_here = span;
    return unknown();
  }
  switch (callee->kind) {
  case Kind::function:
    return call_function(*as<Function>(callee), nullptr, std::move(arguments), span);
  case Kind::bound: {
    auto* bound = as<Bound>(callee);
    return call_function(*bound->function, bound->self, std::move(arguments), span);
  }
  case Kind::klass:
    return call_class(*as<Class>(callee), std::move(arguments), span);
  case Kind::instance:
    return call_instance(*as<Instance>(callee), std::move(arguments), span);
  case Kind::api:
    return call_api_name(*as<ApiName>(callee), std::move(arguments), span);
  case Kind::module:
    return call(resolve(callee), std::move(arguments), span);
  case Kind::choice: {
    Ref result = nullptr;
    for (const Ref option : as<Choice>(callee)->options) {
      if (option->kind == Kind::none || option->kind == Kind::module) {
        continue;
      }
      const Ref one = call(option, arguments, span);
      result = result == nullptr ? one : join(result, one);
    }
    return result != nullptr ? result : unknown();
  }
  default:
    return call_unknown(callee, std::move(arguments), span);
  }
}

Ref Interpreter::call_unknown(Ref callee, std::vector<Argument> arguments, Span span)
{
  const auto* what = as<Unknown>(callee);
  return what != nullptr && !what->attribute.empty()
             ? call_unknown(
                   "?." + std::string(what->attribute), what->object, std::move(arguments), span)
             : call_unknown("?", callee, std::move(arguments), span);
}

// Something that is not followed. It is recorded with what it gets, which it may change.
Ref Interpreter::call_unknown(std::string name,
                              Ref self,
                              std::vector<Argument> arguments,
                              Span span)
{
  m_here = span;
  const bool gets_objects = std::ranges::any_of(arguments, [](const Argument& argument) {
    return argument.value->kind == Kind::instance || argument.value->kind == Kind::tensor ||
           argument.value->kind == Kind::unknown;
  });
  if (!gets_objects && !name.starts_with("?.")) {
    return unknown();
  }
  Call& call = record(std::move(name), nullptr, span);
  call.self = self;
  call.surplus = std::move(arguments);
  return finish(call, unknown());
}

Call& Interpreter::record(std::string name, const Api* api, Span span)
{
  Call& call = m_program.m_calls.emplace_back();
  call.order = m_program.m_calls.size() - 1;
  call.name = std::move(name);
  call.api = api;
  call.span = span;
  call.callee = span;
  call.context = m_context;
  call.speculative = m_speculative;
  return call;
}

Ref Interpreter::finish(Call& call, Ref result)
{
  // A layer that applies an activation has set its own result, which the activation takes.
  if (call.result == nullptr) {
    call.result = result;
  }
  return result;
}

// --- Functions and classes of the program. ---

void Interpreter::bind(
    const Function& function, Scope& scope, Ref self, std::vector<Argument> arguments, Span span)
{
  const std::vector<const Syntax*>& parameters = function.definition->child(0)->children;
  const bool spread = std::ranges::any_of(arguments, [](const Argument& argument) {
    return argument.name == "*" || argument.name == "**";
  });
  std::vector<Ref> positional;
  if (self != nullptr) {
    positional.push_back(self);
  }
  std::vector<const Argument*> keywords;
  for (const Argument& argument : arguments) {
    if (argument.name.empty()) {
      positional.push_back(argument.value);
    } else if (argument.name != "*" && argument.name != "**") {
      keywords.push_back(&argument);
    }
  }
  size_t next = 0;
  bool keyword_only = false;
  std::vector<bool> used(keywords.size(), false);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Syntax& parameter = *parameters[i];
    if (parameter.extra == "*") {
      keyword_only = true;
      if (!parameter.text.empty()) {
        Sequence* rest = tuple({});
        for (; next < positional.size(); ++next) {
          rest->items.push_back(positional[next]);
        }
        rest->open = spread;
        scope.names[parameter.text] = rest;
      }
      continue;
    }
    if (parameter.extra == "**") {
      Dict* rest = dict();
      for (size_t k = 0; k < keywords.size(); ++k) {
        if (!used[k]) {
          rest->items.emplace_back(string(std::string(keywords[k]->name)), keywords[k]->value);
        }
      }
      rest->open = spread;
      scope.names[parameter.text] = rest;
      continue;
    }
    if (parameter.extra == "/") {
      continue;
    }
    Ref value = nullptr;
    if (!keyword_only && next < positional.size()) {
      value = positional[next++];
    }
    for (size_t k = 0; k < keywords.size(); ++k) {
      if (keywords[k]->name == parameter.text) {
        value = keywords[k]->value;
        used[k] = true;
      }
    }
    if (value == nullptr) {
      if (const auto option = function.options.find(parameter.text);
          option != function.options.end()) {
        value = option->second;
      } else if (i < function.defaults.size() && function.defaults[i] != nullptr && !spread) {
        value = function.defaults[i];
      } else {
        m_here = span;
        value = unknown();
      }
    }
    scope.names[parameter.text] = value;
  }
}

Ref Interpreter::call_function(Function& function,
                               Ref self,
                               std::vector<Argument> arguments,
                               Span span)
{
  function.ran = true;
  const auto active =
      static_cast<size_t>(std::ranges::count_if(m_frames, [&function](const Frame& frame) {
        return frame.function->definition == function.definition;
      }));
  if (m_call_depth >= m_limits.call_depth || active >= m_limits.recursion || m_exhausted) {
    m_here = span;
    return unknown();
  }
  if (function.flavour == Function::Flavour::class_method && self == nullptr) {
    self = function.owner;
  }
  auto owned = std::make_unique<Scope>();
  Scope* scope = owned.get();
  scope->unit = function.unit;
  scope->parent = function.closure == function.unit->globals ? nullptr : function.closure;
  m_program.m_scopes.push_back(std::move(owned));
  bind(function, *scope, self, std::move(arguments), span);

  Scope* const outer_scope = m_scope;
  Unit* const outer_unit = m_unit;
  const Span outer_here = m_here;
  m_scope = scope;
  m_unit = function.unit;
  ++m_call_depth;
  m_frames.push_back({.function = &function, .self = self, .scope = scope});
  Ref result = nullptr;
  {
    Region region(*this,
                  {.kind = Context::Kind::function,
                   .syntax = function.definition,
                   .span = span,
                   .subject = &function,
                   .self = self});
    const Syntax* body = function.definition->child(1);
    if (function.definition->kind == SyntaxKind::lambda) {
      result = evaluate(body);
    } else {
      const Flow flow = execute_block(body);
      const Frame& frame = m_frames.back();
      if (frame.yields) {
        result = open_list(frame.yielded);
      } else if (frame.result == nullptr) {
        result = flow == Flow::raised ? unknown() : none();
      } else {
        result = frame.result;
      }
    }
  }
  m_frames.pop_back();
  --m_call_depth;
  m_scope = outer_scope;
  m_unit = outer_unit;
  m_here = outer_here;
  return result;
}

// A class without a constructor that is given arguments is a data class: they are its fields, in
// the order in which the body declares them.
void Interpreter::fill_fields(const Class& klass,
                              Instance& object,
                              const std::vector<Argument>& arguments)
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

Ref Interpreter::call_class(Class& klass, std::vector<Argument> arguments, Span span)
{
  klass.instantiated = true;
  m_here = span;
  auto* object = make<Instance>();
  object->klass = &klass;
  object->api = klass.api_base;
  object->origin = span;
  m_first_instances.try_emplace(&klass, object);
  if (klass.api_base != nullptr) {
    m_program.m_instances.push_back(object);
  }
  if (auto* constructor = as<Function>(find_in_class(klass, "__init__"))) {
    call_function(*constructor, object, std::move(arguments), span);
  } else if (klass.api_base == nullptr) {
    fill_fields(klass, *object, arguments);
  } else {
    Call& call = record(std::string(klass.api_base->name), klass.api_base, span);
    bind(call, *klass.api_base, std::move(arguments));
    object->made_by = &call;
    finish(call, object);
  }
  return object;
}

// --- Library names. ---

Ref Interpreter::literal(std::string_view written)
{
  const std::string_view text = trim(written);
  if (text == "None" || text.empty()) {
    return none();
  }
  if (const auto known = m_literals.find(text); known != m_literals.end()) {
    return known->second;
  }
  Ref made = nullptr;
  if (text == "True" || text == "False") {
    made = boolean(text == "True");
  } else if (text.front() == '\'' || text.front() == '"') {
    made = string(std::string(text.substr(1, text.size() - 2)));
  } else if (text.front() == '(' || text.front() == '[') {
    std::vector<Ref> items;
    for (const std::string_view part : split(text.substr(1, text.size() - 2), ',')) {
      if (!trim(part).empty()) {
        items.push_back(literal(part));
      }
    }
    made = text.front() == '(' ? tuple(std::move(items)) : list(std::move(items));
  } else {
    int64_t whole = 0;
    double decimal = 0;
    const char* last = text.data() + text.size();
    if (const auto read = std::from_chars(text.data(), last, whole);
        read.ec == std::errc() && read.ptr == last) {
      made = integer(whole);
    } else if (const auto rest = std::from_chars(text.data(), last, decimal);
               rest.ec == std::errc() && rest.ptr == last) {
      made = real(decimal);
    } else {
      made = library(std::string(text), {});
    }
  }
  m_literals[text] = made;
  return made;
}

void Interpreter::bind(Call& call, const Api& api, std::vector<Argument> arguments)
{
  const std::vector<Parameter>& parameters = parameters_of(api);
  call.arguments.clear();
  call.arguments.reserve(parameters.size());
  std::vector<bool> used(arguments.size(), false);
  const bool spread = std::ranges::any_of(arguments, [](const Argument& argument) {
    return argument.name == "*" || argument.name == "**";
  });
  size_t next = 0; // positional argument to take
  const auto next_positional = [&]() -> Argument* {
    while (next < arguments.size() && !arguments[next].name.empty()) {
      ++next;
    }
    return next < arguments.size() ? &arguments[next] : nullptr;
  };
  for (const Parameter& parameter : parameters) {
    if (parameter.form == Parameter::Form::star) {
      for (Argument* more = next_positional(); more != nullptr; more = next_positional()) {
        used[next++] = true;
        call.surplus.push_back(*more);
      }
      // How many `*args` stand for is not known: kept, so that nobody takes the others for all.
      for (const Argument& argument : arguments) {
        if (argument.name == "*") {
          call.surplus.push_back(argument);
        }
      }
      continue;
    }
    if (parameter.form == Parameter::Form::double_star) {
      continue;
    }
    Argument bound{.name = parameter.name, .value = nullptr, .span = call.span, .given = false};
    if (parameter.form == Parameter::Form::ordinary) {
      if (Argument* positional = next_positional()) {
        used[next++] = true;
        bound.value = positional->value;
        bound.span = positional->span;
        bound.given = true;
      }
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].name == parameter.name) {
        bound.value = arguments[i].value;
        bound.span = arguments[i].span;
        bound.given = true;
        used[i] = true;
      }
    }
    if (!bound.given) {
      bound.value = spread || parameter.fallback.empty() ? nullptr : literal(parameter.fallback);
      if (spread && bound.value == nullptr) {
        bound.value = unknown();
      }
    }
    if (bound.value != nullptr) {
      call.arguments.push_back(bound);
    }
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!used[i] && arguments[i].name != "*" && arguments[i].name != "**") {
      call.surplus.push_back(arguments[i]);
    }
  }
}

Ref Interpreter::default_result(Call& call)
{
  if (call.api == nullptr) {
    return unknown();
  }
  if (call.api->has(k_elementwise)) {
    const std::vector<Tensor*> inputs = call.inputs();
    if (!inputs.empty()) {
      Tensor* made = like(call, *inputs.front());
      if (!call.api->has(k_reshaping)) {
        made->interval = Interval::top();
        made->encoding = Encoding::unknown;
        made->literal = nullptr;
      }
      return made;
    }
  }
  return unknown();
}

// Framework functions take what they get for a tensor, so an unknown first argument becomes one.
static void take_for_tensor(Machine& machine, Call& call)
{
  constexpr uint32_t k_on_tensors = k_learning | k_activation | k_elementwise | k_reshaping |
                                    k_normalising | k_dropping | k_pooling | k_reduction |
                                    k_no_gradient;
  if (call.api == nullptr || !(call.has(k_on_tensors) || call.op().starts_with("loss."))) {
    return;
  }
  const size_t many = call.op().starts_with("loss.") ? 2 : 1;
  for (size_t i = 0; i < std::min(many, call.arguments.size()); ++i) {
    Argument& argument = call.arguments[i];
    if (argument.given && argument.value->kind == Kind::unknown) {
      argument.value = machine.to_tensor(argument.value);
    }
  }
}

static bool makes_instance(Role role)
{
  constexpr std::array k_classes = {Role::layer,
                                    Role::model,
                                    Role::loss,
                                    Role::optimizer,
                                    Role::scheduler,
                                    Role::metric,
                                    Role::initializer,
                                    Role::regularizer,
                                    Role::callback,
                                    Role::dataset,
                                    Role::loader,
                                    Role::transform,
                                    Role::scope,
                                    Role::object};
  return std::ranges::find(k_classes, role) != k_classes.end();
}

Ref Interpreter::call_api_name(ApiName& name, std::vector<Argument> arguments, Span span)
{
  m_here = span;
  const Api* api = name.api;
  if (api == nullptr) {
    if (is_opaque(name.path) || !is_modelled_library(name.path)) {
      return call_unknown(name.path, name.self, std::move(arguments), span);
    }
    Call& call = record(name.path, nullptr, span);
    call.self = name.self;
    call.surplus = std::move(arguments);
    gap(format("unknown function `{}`", name.path), span);
    return finish(call, unknown());
  }
  if (api->role == Role::opaque) {
    Call& call = record(name.path, api, span);
    call.self = name.self;
    bind(call, *api, std::move(arguments));
    return finish(call, unknown());
  }
  Call& call = record(name.path, api, span);
  call.self = name.self;
  bind(call, *api, std::move(arguments));
  const bool callable_class =
      api->role == Role::layer || api->role == Role::model || api->role == Role::loss;
  if (makes_instance(api->role) && (callable_class || api->transfer == nullptr)) {
    Instance* const made = instance(*api, &call);
    // A class that has work to do when constructed (nn.Sequential keeps its layers) has a row for
    // it.
    const Api* constructor = find_method(*api, "__init__");
    if (constructor != nullptr && constructor->transfer != nullptr) {
      call.self = made;
      constructor->transfer(*this, call);
      call.self = nullptr;
    }
    return finish(call, made);
  }
  take_for_tensor(*this, call);
  return finish(call, api->transfer != nullptr ? api->transfer(*this, call) : default_result(call));
}

Ref Interpreter::sizes(const Shape& shape)
{
  std::vector<Ref> items;
  for (const Dim& dim : shape.dims()) {
    items.push_back(integer(dim));
  }
  return tuple(std::move(items));
}

Ref Interpreter::call_instance(Instance& object, std::vector<Argument> arguments, Span span)
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
        event = &record(std::string(object.api->name), object.api, span);
        event->layer = &object;
        event->arguments = arguments;
        // Keras makes the weights of a layer when it first sees the shape of its input.
        auto* build = as<Function>(find_in_class(*object.klass, "build"));
        if (build != nullptr && entry == "call" && object.applied.empty() && !arguments.empty()) {
          const Tensor* input = to_tensor(arguments.front().value);
          const Ref shape =
              input != nullptr && input->shape.has_rank() ? sizes(input->shape) : unknown();
          call_function(
              *build, &object, {{.name = {}, .value = shape, .span = span, .given = true}}, span);
        }
        object.applied.push_back(event);
        for (Argument& argument : arguments) {
          if (argument.value->kind == Kind::unknown && argument.name.empty()) {
            argument.value = to_tensor(argument.value);
          }
        }
      }
      const Ref result = call_function(*function, &object, std::move(arguments), span);
      if (event != nullptr) {
        finish(*event, result);
      }
      return result;
    }
  }
  if (object.api == nullptr) {
    return unknown();
  }
  m_here = span;
  const Api* entry = find_method(*object.api, "__call__");
  const bool applied = object.api->role == Role::layer || object.api->role == Role::model ||
                       object.api->role == Role::loss;
  if (entry == nullptr && !applied) {
    return unknown();
  }
  Call& call = record(std::string(object.api->name), object.api, span);
  call.layer = &object;
  if (entry != nullptr) {
    bind(call, *entry, std::move(arguments));
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
    call.arguments.front().value = to_tensor(call.arguments.front().value);
  }
  take_for_tensor(*this, call);
  object.applied.push_back(&call);
  if (entry != nullptr && entry->transfer != nullptr) {
    return finish(call, entry->transfer(*this, call));
  }
  return finish(call,
                object.api->transfer != nullptr ? object.api->transfer(*this, call)
                                                : default_result(call));
}

} // namespace faultline::program
