#include "program/interpreter/library_calls.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "program/interpreter/calls.hpp"
#include "program/interpreter/imports.hpp"
#include "program/interpreter/interpreter.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace faultline::program {

static Ref literal(Interpreter& m, std::string_view written)
{
  const std::string_view text = trim(written);
  if (text == "None" || text.empty()) {
    return m.none();
  }
  if (const auto known = m.literals.find(text); known != m.literals.end()) {
    return known->second;
  }
  Ref made = nullptr;
  if (text == "True" || text == "False") {
    made = m.boolean(text == "True");
  } else if (text.front() == '\'' || text.front() == '"') {
    made = m.string(std::string(text.substr(1, text.size() - 2)));
  } else if (text.front() == '(' || text.front() == '[') {
    std::vector<Ref> items;
    for (const std::string_view part : split(text.substr(1, text.size() - 2), ',')) {
      if (!trim(part).empty()) {
        items.push_back(literal(m, part));
      }
    }
    made = text.front() == '(' ? m.tuple(std::move(items)) : m.list(std::move(items));
  } else {
    int64_t whole = 0;
    double decimal = 0;
    const char* last = text.data() + text.size();
    if (const auto read = std::from_chars(text.data(), last, whole);
        read.ec == std::errc() && read.ptr == last) {
      made = m.integer(whole);
    } else if (const auto rest = std::from_chars(text.data(), last, decimal);
               rest.ec == std::errc() && rest.ptr == last) {
      made = m.real(decimal);
    } else {
      made = library_name(m, std::string(text), {});
    }
  }
  m.literals[text] = made;
  return made;
}

void bind_arguments(Interpreter& m, Call& call, const Api& api, std::vector<Argument> arguments)
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
      bound.value = spread || parameter.fallback.empty() ? nullptr : literal(m, parameter.fallback);
      if (spread && bound.value == nullptr) {
        bound.value = m.unknown();
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

Ref default_result(Interpreter& m, Call& call)
{
  if (call.api == nullptr) {
    return m.unknown();
  }
  if (call.api->has(k_elementwise)) {
    const std::vector<Tensor*> inputs = call.inputs();
    if (!inputs.empty()) {
      Tensor* made = m.like(call, *inputs.front());
      if (!call.api->has(k_reshaping)) {
        made->interval = Interval::top();
        made->encoding = Encoding::unknown;
        made->literal = nullptr;
      }
      return made;
    }
  }
  return m.unknown();
}

void take_for_tensor(Machine& m, Call& call)
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
      argument.value = m.to_tensor(argument.value);
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

Ref call_api_name(Interpreter& m, ApiName& name, std::vector<Argument> arguments, Span span)
{
  m.stand_at(span);
  const Api* api = name.api;
  if (api == nullptr) {
    if (is_opaque(name.path) || !is_modelled_library(name.path)) {
      return call_unknown(m, name.path, name.self, std::move(arguments), span);
    }
    Call& call = m.record(name.path, nullptr, span);
    call.self = name.self;
    call.surplus = std::move(arguments);
    m.gap(format("unknown function `{}`", name.path), span);
    return m.finish(call, m.unknown());
  }
  if (api->role == Role::opaque) {
    Call& call = m.record(name.path, api, span);
    call.self = name.self;
    bind_arguments(m, call, *api, std::move(arguments));
    return m.finish(call, m.unknown());
  }
  Call& call = m.record(name.path, api, span);
  call.self = name.self;
  bind_arguments(m, call, *api, std::move(arguments));
  const bool callable_class =
      api->role == Role::layer || api->role == Role::model || api->role == Role::loss;
  if (makes_instance(api->role) && (callable_class || api->transfer == nullptr)) {
    Instance* const made = m.instance(*api, &call);
    // A class that has work to do when constructed (nn.Sequential keeps its layers) has a row for
    // it.
    const Api* constructor = find_method(*api, "__init__");
    if (constructor != nullptr && constructor->transfer != nullptr) {
      call.self = made;
      constructor->transfer(m, call);
      call.self = nullptr;
    }
    return m.finish(call, made);
  }
  take_for_tensor(m, call);
  return m.finish(call,
                  api->transfer != nullptr ? api->transfer(m, call) : default_result(m, call));
}

} // namespace faultline::program
