#include "base/format.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/values/classes.hpp"

namespace faultline::program {

// The class in our tables whose methods a Python value has.
static std::string_view class_of(const Value& value)
{
  switch (value.kind) {
  case Kind::tensor:
    switch (static_cast<const Tensor&>(value).library) {
    case Library::torch:
      return "torch.Tensor";
    case Library::numpy:
      return "numpy.ndarray";
    case Library::tensorflow:
    case Library::keras:
      return "tensorflow.Tensor";
    case Library::pandas:
      return "pandas.DataFrame";
    case Library::other:
      return {};
    }
    return {};
  case Kind::sequence:
    switch (static_cast<const Sequence&>(value).type) {
    case Sequence::Type::list:
      return "builtins.list";
    case Sequence::Type::tuple:
      return "builtins.tuple";
    case Sequence::Type::set:
      return "builtins.set";
    }
    return {};
  case Kind::dict:
    return "builtins.dict";
  case Kind::text:
    return "builtins.str";
  case Kind::constant:
    return std::visit(
        [](const auto& held) -> std::string_view {
          using V = std::decay_t<decltype(held)>;
          return std::is_same_v<V, std::string> ? "builtins.str"
                 : std::is_same_v<V, double>    ? "builtins.float"
                                                : "builtins.int";
        },
        static_cast<const Constant&>(value).value);
  case Kind::number:
    return static_cast<const Number&>(value).integer ? "builtins.int" : "builtins.float";
  default:
    return {};
  }
}

Ref Interpreter::attribute(Ref object, std::string_view name, Span span)
{
  m_here = span;
  const Deeper deeper(*this);
  if (deeper.too_deep()) {
    return unknown();
  }
  switch (object->kind) {
  case Kind::instance:
    return instance_attribute(*as<Instance>(object), name, span);
  case Kind::klass:
    return class_attribute(*as<Class>(object), name, nullptr, span);
  case Kind::api:
    return library_attribute(*as<ApiName>(object), name, span);
  case Kind::module: {
    auto* module = as<ModuleRef>(object);
    auto* reference = make<ModuleRef>();
    reference->unit = module->unit;
    reference->name = name;
    return resolve(reference);
  }
  case Kind::choice: {
    Ref result = nullptr;
    for (const Ref option : as<Choice>(object)->options) {
      if (option->kind != Kind::none) {
        const Ref one = attribute(option, name, span);
        result = result == nullptr ? one : join(result, one);
      }
    }
    return result != nullptr ? result : unknown();
  }
  case Kind::unknown:
    return unknown_attribute(object, name);
  case Kind::none:
  case Kind::function:
  case Kind::bound:
  case Kind::slice:
    return unknown();
  default: {
    const std::string_view klass = class_of(*object);
    if (klass.empty()) {
      // A tensor of a library that is not known: try each, torch first.
      for (const std::string_view guess : {"torch.Tensor", "tensorflow.Tensor", "numpy.ndarray"}) {
        const Api* found = find_api(std::string(guess) + "." + std::string(name));
        if (found != nullptr && object->kind == Kind::tensor) {
          return method(*found, guess, object, name, span);
        }
      }
      return unknown();
    }
    const Api* row = find_api(klass);
    if (row != nullptr) {
      return method(*row, klass, object, name, span);
    }
    const std::string path = std::string(klass) + "." + std::string(name);
    const Api* found = find_api(path);
    if (found != nullptr) {
      return method(*found, klass, object, name, span);
    }
    if (object->kind == Kind::tensor) {
      gap(format("unknown attribute `{}`", path), span);
    }
    return unknown();
  }
  }
}

Ref Interpreter::unknown_attribute(Ref object, std::string_view name)
{
  auto* made = make<Unknown>();
  made->object = object;
  made->attribute = name;
  return made;
}

Ref Interpreter::method(
    const Api& klass, std::string_view klass_name, Ref self, std::string_view name, Span span)
{
  const std::string path = std::string(klass_name) + "." + std::string(name);
  const Api* row = klass.name == path ? &klass : find_method(klass, name);
  if (row == nullptr) {
    row = find_api(path);
  }
  if (row == nullptr && !name.starts_with("__")) {
    // Names that only the data know, such as the columns of a table.
    if (const Api* any = find_method(klass, "__getattr__")) {
      Call& call = record(std::string(any->name), any, span);
      call.self = self;
      call.arguments = {
          {.name = "name", .value = string(std::string(name)), .span = span, .given = true}};
      return finish(call, any->transfer != nullptr ? any->transfer(*this, call) : unknown());
    }
  }
  if (row == nullptr) {
    if (name.starts_with("__")) {
      // Python's own protocol, such as super().__init__.
    } else if (is_modelled_library(path) && !is_opaque(path)) {
      gap(format("unknown attribute `{}`", path), span);
    }
    auto* made = make<ApiName>();
    made->path = path;
    made->written = path;
    made->self = self;
    return name.starts_with("__") ? static_cast<Ref>(made) : unknown_attribute(self, name);
  }
  if (row->role == Role::attribute) {
    Call& call = record(std::string(row->name), row, span);
    call.self = self;
    return finish(call, row->transfer != nullptr ? row->transfer(*this, call) : unknown());
  }
  auto* made = make<ApiName>();
  made->path = std::string(row->name);
  made->written = path;
  made->api = row;
  made->self = self;
  return made;
}

Ref Interpreter::bind_method(Function& function, Ref self)
{
  if (function.flavour == Function::Flavour::static_method) {
    return &function;
  }
  auto* bound = make<Bound>();
  bound->function = &function;
  bound->self = self;
  return bound;
}

Ref Interpreter::class_attribute(Class& klass, std::string_view name, Ref self, Span span)
{
  if (const Ref found = find_in_class(klass, name)) {
    auto* function = as<Function>(found);
    if (function == nullptr) {
      return resolve(found);
    }
    if (self == nullptr) {
      return function->flavour == Function::Flavour::class_method ? bind_method(*function, &klass)
                                                                  : function;
    }
    if (function->flavour == Function::Flavour::property) {
      return call_function(*function, self, {}, span);
    }
    return bind_method(*function, self);
  }
  if (klass.api_base != nullptr) {
    return method(*klass.api_base, klass.api_base->name, self, name, span);
  }
  return unknown();
}

Ref Interpreter::instance_attribute(Instance& object, std::string_view name, Span span)
{
  if (const auto found = object.attributes.find(name); found != object.attributes.end()) {
    return resolve(found->second);
  }
  if (object.klass != nullptr) {
    if (find_in_class(*object.klass, name) != nullptr) {
      return class_attribute(*object.klass, name, &object, span);
    }
    // What a user's class may set elsewhere is not a gap in our tables.
    if (object.api != nullptr && find_method(*object.api, name) != nullptr) {
      return method(*object.api, object.api->name, &object, name, span);
    }
    return name.starts_with("__") && object.api != nullptr
               ? method(*object.api, object.api->name, &object, name, span)
               : unknown();
  }
  if (name == "__class__" && object.api != nullptr) {
    return library(std::string(object.api->name), span);
  }
  return object.api != nullptr ? method(*object.api, object.api->name, &object, name, span)
                               : unknown();
}

Ref Interpreter::library_attribute(const ApiName& object, std::string_view name, Span span)
{
  if (object.self != nullptr) {
    return unknown();
  }
  const std::string written = object.written + "." + std::string(name);
  auto* made = make<ApiName>();
  made->origin = span;
  made->written = written;
  made->path = canonical_path(written);
  made->api = find_api(made->path);
  if (made->api == nullptr && object.api != nullptr) {
    made->api = find_method(*object.api, name); // torch.Tensor.view, a class's own
  }
  if (made->api != nullptr && made->api->role == Role::attribute && object.api == nullptr &&
      made->api->transfer != nullptr) {
    Call& call = record(made->path, made->api, span);
    return finish(call, made->api->transfer(*this, call));
  }
  if (made->api == nullptr && object.api == nullptr && is_modelled_library(made->path) &&
      !is_namespace(made->path) && !is_opaque(made->path)) {
    gap(format("unknown name `{}`", made->path), span);
  }
  return made;
}

void Interpreter::set_attribute(Ref object, std::string_view name, Ref value, Span span)
{
  if (auto* instance = as<Instance>(object)) {
    touch(*instance);
    instance->attributes[name] = value;
  } else if (auto* klass = as<Class>(object)) {
    touch(*klass);
    klass->attributes[name] = value;
  } else if (auto* tensor = as<Tensor>(object)) {
    // An array is one value on all paths: what is known of it can only shrink.
    tensor->shape = name == "shape" ? Shape::top() : tensor->shape;
    tensor->dtype = name == "dtype" ? DType() : tensor->dtype;
  } else if (const auto* choice = as<Choice>(object)) {
    for (const Ref option : choice->options) {
      set_attribute(option, name, value, span);
    }
    return;
  }
  if (auto* tensor = as<Tensor>(object)) {
    if (name == "shape") { // NumPy reshapes in place
      const std::optional<std::vector<Dim>> dims = to_dims(value);
      tensor->shape = dims ? Shape::of(*dims) : Shape::top();
    } else if (name == "data") {
      tensor->interval = Interval::top();
      tensor->literal = nullptr;
    } else if (name == "requires_grad") {
      const std::optional<bool> wanted = to_bool(value);
      tensor->requires_grad = !wanted ? Truth::unknown : *wanted ? Truth::yes : Truth::no;
    }
  }
  m_program.m_stores.push_back({.order = m_program.m_calls.size(),
                                .object = object,
                                .name = name,
                                .value = value,
                                .span = span,
                                .context = m_context});
}

Ref Interpreter::iterate(Ref iterable, Span span)
{
  m_here = span;
  const Deeper deeper(*this);
  if (deeper.too_deep()) {
    return unknown();
  }
  switch (iterable->kind) {
  case Kind::sequence: {
    const auto* sequence = as<Sequence>(iterable);
    Ref one = sequence->rest;
    for (const Ref held : sequence->items) {
      one = one == nullptr ? held : join(one, held);
    }
    return one != nullptr ? one : unknown();
  }
  case Kind::dict: {
    const auto* held = as<Dict>(iterable);
    Ref one = nullptr;
    for (const auto& [key, value] : held->items) {
      one = one == nullptr ? key : join(one, key);
    }
    return one != nullptr ? one : unknown();
  }
  case Kind::tensor: {
    if (as<Tensor>(iterable)->shape.rank() == std::optional<size_t>(0)) {
      return unknown();
    }
    Call& call = record("operator.getitem", find_api("operator.getitem"), span);
    call.arguments = {{.name = "a", .value = iterable, .span = span, .given = true}};
    return finish(call, index_tensor(*as<Tensor>(iterable), number(Interval::top(), true), call));
  }
  case Kind::choice: {
    Ref one = nullptr;
    for (const Ref option : as<Choice>(iterable)->options) {
      if (option->kind != Kind::none) {
        const Ref held = iterate(option, span);
        one = one == nullptr ? held : join(one, held);
      }
    }
    return one != nullptr ? one : unknown();
  }
  case Kind::constant:
  case Kind::text:
    return text();
  case Kind::instance: {
    auto* object = as<Instance>(iterable);
    if (object->klass != nullptr) {
      for (const std::string_view name : {"__iter__", "__next__", "__getitem__"}) {
        if (auto* function = as<Function>(find_in_class(*object->klass, name))) {
          const Ref result = name == "__getitem__"
                                 ? call(bind_method(*function, object),
                                        std::vector<Ref>{number(Interval::top(), true)},
                                        span)
                                 : call(bind_method(*function, object), std::vector<Ref>{}, span);
          return name == "__iter__" && result != iterable ? iterate(result, span) : result;
        }
      }
    }
    if (object->api != nullptr) {
      if (const Api* row = find_method(*object->api, "__iter__")) {
        Call& call = record(std::string(row->name), row, span);
        call.self = object;
        return finish(call, row->transfer != nullptr ? row->transfer(*this, call) : unknown());
      }
    }
    Ref one = nullptr;
    for (const Ref held : object->items) {
      one = one == nullptr ? held : join(one, held);
    }
    return one != nullptr ? one : unknown();
  }
  default:
    return unknown();
  }
}

} // namespace faultline::program
