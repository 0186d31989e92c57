#include "program/interpreter/attributes.hpp"

#include "base/format.hpp"
#include "program/interpreter/files.hpp"
#include "program/interpreter/functions.hpp"
#include "program/interpreter/imports.hpp"
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

static Ref unknown_attribute(Interpreter& m, Ref object, std::string_view name)
{
  auto* made = m.make<Unknown>();
  made->object = object;
  made->attribute = name;
  return made;
}

Ref bind_method(Interpreter& m, Function& function, Ref self)
{
  if (function.flavour == Function::Flavour::static_method) {
    return &function;
  }
  auto* bound = m.make<Bound>();
  bound->function = &function;
  bound->self = self;
  return bound;
}

Ref method(Interpreter& m,
           const Api& klass,
           std::string_view klass_name,
           Ref self,
           std::string_view name,
           Span span)
{
  const std::string path = std::string(klass_name) + "." + std::string(name);
  const Api* row = klass.name == path ? &klass : find_method(klass, name);
  if (row == nullptr) {
    row = find_api(path);
  }
  if (row == nullptr && !name.starts_with("__")) {
    // Names that only the data know, such as the columns of a table.
    if (const Api* any = find_method(klass, "__getattr__")) {
      return m.call_row(
          *any,
          self,
          {{.name = "name", .value = m.string(std::string(name)), .span = span, .given = true}},
          span);
    }
  }
  if (row == nullptr) {
    if (name.starts_with("__")) {
      // Python's own protocol, such as super().__init__.
    } else if (is_modelled_library(path) && !is_opaque(path)) {
      m.gap(format("unknown attribute `{}`", path), span);
    }
    auto* made = m.make<ApiName>();
    made->path = path;
    made->written = path;
    made->self = self;
    return name.starts_with("__") ? static_cast<Ref>(made) : unknown_attribute(m, self, name);
  }
  if (row->role == Role::attribute) {
    return m.call_row(*row, self, {}, span);
  }
  auto* made = m.make<ApiName>();
  made->path = std::string(row->name);
  made->written = path;
  made->api = row;
  made->self = self;
  return made;
}

static Ref class_attribute(Interpreter& m, Class& klass, std::string_view name, Ref self, Span span)
{
  if (const Ref found = find_in_class(klass, name)) {
    auto* function = as<Function>(found);
    if (function == nullptr) {
      return resolve(m, found);
    }
    if (self == nullptr) {
      return function->flavour == Function::Flavour::class_method
                 ? bind_method(m, *function, &klass)
                 : function;
    }
    if (function->flavour == Function::Flavour::property) {
      return call_function(m, *function, self, {}, span);
    }
    return bind_method(m, *function, self);
  }
  if (klass.api_base != nullptr) {
    return method(m, *klass.api_base, klass.api_base->name, self, name, span);
  }
  return m.unknown();
}

static Ref instance_attribute(Interpreter& m, Instance& object, std::string_view name, Span span)
{
  if (const auto found = object.attributes.find(name); found != object.attributes.end()) {
    return resolve(m, found->second);
  }
  if (object.klass != nullptr) {
    if (find_in_class(*object.klass, name) != nullptr) {
      return class_attribute(m, *object.klass, name, &object, span);
    }
    // What a user's class may set elsewhere is not a gap in our tables.
    if (object.api != nullptr && find_method(*object.api, name) != nullptr) {
      return method(m, *object.api, object.api->name, &object, name, span);
    }
    return name.starts_with("__") && object.api != nullptr
               ? method(m, *object.api, object.api->name, &object, name, span)
               : m.unknown();
  }
  if (name == "__class__" && object.api != nullptr) {
    return library_name(m, std::string(object.api->name), span);
  }
  return object.api != nullptr ? method(m, *object.api, object.api->name, &object, name, span)
                               : m.unknown();
}

static Ref
library_attribute(Interpreter& m, const ApiName& object, std::string_view name, Span span)
{
  if (object.self != nullptr) {
    return m.unknown();
  }
  const std::string written = object.written + "." + std::string(name);
  auto* made = m.make<ApiName>();
  made->origin = span;
  made->written = written;
  made->path = canonical_path(written);
  made->api = find_api(made->path);
  if (made->api == nullptr && object.api != nullptr) {
    made->api = find_method(*object.api, name); // torch.Tensor.view, a class's own
  }
  if (made->api != nullptr && made->api->role == Role::attribute && object.api == nullptr &&
      made->api->transfer != nullptr) {
    Call& call = m.record(made->path, made->api, span);
    return m.finish(call, made->api->transfer(m, call));
  }
  if (made->api == nullptr && object.api == nullptr && is_modelled_library(made->path) &&
      !is_namespace(made->path) && !is_opaque(made->path)) {
    m.gap(format("unknown name `{}`", made->path), span);
  }
  return made;
}

Ref attribute_of(Interpreter& m, Ref object, std::string_view name, Span span)
{
  m.stand_at(span);
  const Deeper deeper(m);
  if (deeper.too_deep()) {
    return m.unknown();
  }
  switch (object->kind) {
  case Kind::instance:
    return instance_attribute(m, *as<Instance>(object), name, span);
  case Kind::klass:
    return class_attribute(m, *as<Class>(object), name, nullptr, span);
  case Kind::api:
    return library_attribute(m, *as<ApiName>(object), name, span);
  case Kind::module: {
    auto* module = as<ModuleRef>(object);
    auto* reference = m.make<ModuleRef>();
    reference->unit = module->unit;
    reference->name = name;
    return resolve(m, reference);
  }
  case Kind::choice: {
    Ref result = nullptr;
    for (const Ref option : as<Choice>(object)->options) {
      if (option->kind != Kind::none) {
        const Ref one = m.attribute(option, name, span);
        result = result == nullptr ? one : m.join(result, one);
      }
    }
    return result != nullptr ? result : m.unknown();
  }
  case Kind::unknown:
    return unknown_attribute(m, object, name);
  case Kind::none:
  case Kind::function:
  case Kind::bound:
  case Kind::slice:
    return m.unknown();
  default: {
    const std::string_view klass = class_of(*object);
    if (klass.empty()) {
      // A tensor of a library that is not known: try each, torch first.
      for (const std::string_view guess : {"torch.Tensor", "tensorflow.Tensor", "numpy.ndarray"}) {
        const Api* found = find_api(std::string(guess) + "." + std::string(name));
        if (found != nullptr && object->kind == Kind::tensor) {
          return method(m, *found, guess, object, name, span);
        }
      }
      return m.unknown();
    }
    const Api* row = find_api(klass);
    if (row != nullptr) {
      return method(m, *row, klass, object, name, span);
    }
    const std::string path = std::string(klass) + "." + std::string(name);
    const Api* found = find_api(path);
    if (found != nullptr) {
      return method(m, *found, klass, object, name, span);
    }
    if (object->kind == Kind::tensor) {
      m.gap(format("unknown attribute `{}`", path), span);
    }
    return m.unknown();
  }
  }
}

void store_attribute(Interpreter& m, Ref object, std::string_view name, Ref value, Span span)
{
  if (auto* instance = as<Instance>(object)) {
    m.touch(*instance);
    instance->attributes[name] = value;
  } else if (auto* klass = as<Class>(object)) {
    m.touch(*klass);
    klass->attributes[name] = value;
  } else if (auto* tensor = as<Tensor>(object)) {
    // An array is one value on all paths: what is known of it can only shrink.
    tensor->shape = name == "shape" ? Shape::top() : tensor->shape;
    tensor->dtype = name == "dtype" ? DType() : tensor->dtype;
  } else if (const auto* choice = as<Choice>(object)) {
    for (const Ref option : choice->options) {
      m.set_attribute(option, name, value, span);
    }
    return;
  }
  if (auto* tensor = as<Tensor>(object)) {
    if (name == "shape") { // NumPy reshapes in place
      const std::optional<std::vector<Dim>> dims = m.to_dims(value);
      tensor->shape = dims ? Shape::of(*dims) : Shape::top();
    } else if (name == "data") {
      tensor->interval = Interval::top();
      tensor->literal = nullptr;
    } else if (name == "requires_grad") {
      const std::optional<bool> wanted = m.to_bool(value);
      tensor->requires_grad = !wanted ? Truth::unknown : *wanted ? Truth::yes : Truth::no;
    }
  }
  m.note_store(object, name, value, span);
}

} // namespace faultline::program
