// Python's built-in functions about objects: types, attributes, files; the exceptions.

#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/reading.hpp"
#include "program/names/tables.hpp"
#include "program/values/walk.hpp"

#include <algorithm>

namespace faultline::program {

static Ref type_of(Machine& m, Call& call)
{
  const auto* instance = as<Instance>(take(m, call, "object"));
  return instance != nullptr && instance->klass != nullptr ? instance->klass : m.unknown();
}

static std::string_view array_class(const Tensor& tensor)
{
  switch (tensor.library) {
  case Library::numpy:
    return "numpy.ndarray";
  case Library::torch:
    return "torch.Tensor";
  case Library::tensorflow:
  case Library::keras:
    return "tensorflow.Tensor";
  case Library::pandas:
    return tensor.shape.rank() == 1 ? "pandas.Series" : "pandas.DataFrame";
  case Library::other:
    break;
  }
  return {};
}

static bool is_array_class(std::string_view path)
{
  return path == "numpy.ndarray" || path == "torch.Tensor" || path == "tensorflow.Tensor" ||
         path == "pandas.Series" || path == "pandas.DataFrame";
}

// Whether `derived` is `base` or inherits from it; unknown when a base is not understood.
static Truth inherits(const Class& derived, const Class& base)
{
  return walk(&derived, Truth::unknown, [&base](const Class* one, auto& into) {
    if (one == &base) {
      return Truth::yes;
    }
    Truth result = one->base_unknown ? Truth::unknown : Truth::no;
    for (const Ref parent : one->bases) {
      const auto* klass = as<Class>(parent);
      const Truth above = klass != nullptr ? into(klass) : Truth::no;
      if (above == Truth::yes) {
        return Truth::yes;
      }
      if (above == Truth::unknown) {
        result = Truth::unknown;
      }
    }
    return result;
  });
}

static Truth inherits(const Api* derived, std::string_view base)
{
  for (; derived != nullptr; derived = derived->base.empty() ? nullptr : find_api(derived->base)) {
    if (derived->name == base) {
      return Truth::yes;
    }
  }
  return Truth::no;
}

static Truth is_builtin(Ref value, std::string_view type)
{
  const auto verdict = [](bool yes) { return yes ? Truth::yes : Truth::no; };
  if (const auto* constant = as<Constant>(value)) {
    const bool boolean = std::holds_alternative<bool>(constant->value);
    const bool integer = std::holds_alternative<int64_t>(constant->value);
    const bool real = std::holds_alternative<double>(constant->value);
    if (type == "str" || type == "basestring" || type == "unicode") {
      return verdict(!boolean && !integer && !real);
    }
    return verdict((type == "int" && (integer || boolean)) || (type == "long" && integer) ||
                   (type == "float" && real) || (type == "bool" && boolean));
  }
  if (const auto* sequence = as<Sequence>(value)) {
    return verdict((type == "list" && sequence->type == Sequence::Type::list) ||
                   (type == "tuple" && sequence->type == Sequence::Type::tuple) ||
                   (type == "set" && sequence->type == Sequence::Type::set));
  }
  switch (value->kind) {
  case Kind::text:
    return verdict(type == "str" || type == "basestring" || type == "unicode");
  case Kind::dict:
    return verdict(type == "dict");
  case Kind::number:
    return type == "int" || type == "float" ? verdict((type == "int") == is_integral(value))
                                            : Truth::no;
  case Kind::none:
  case Kind::function:
  case Kind::klass:
  case Kind::tensor:
  case Kind::module:
    return Truth::no;
  case Kind::instance:
    return static_cast<Instance*>(value)->api == nullptr ? Truth::no : Truth::unknown;
  default:
    return Truth::unknown;
  }
}

static Truth is_a(Ref value, Ref type)
{
  const auto* instance = as<Instance>(value);
  if (auto* klass = as<Class>(type)) {
    if (instance == nullptr) {
      const bool certain = value->kind != Kind::unknown && value->kind != Kind::choice;
      return certain ? Truth::no : Truth::unknown;
    }
    return instance->klass != nullptr ? inherits(*instance->klass, *klass) : Truth::no;
  }
  const std::string_view path = path_of(type);
  constexpr std::string_view k_builtins = "builtins.";
  if (path.starts_with(k_builtins)) {
    return is_builtin(value, path.substr(k_builtins.size()));
  }
  if (const auto* tensor = as<Tensor>(value); tensor != nullptr && is_array_class(path)) {
    const std::string_view own = array_class(*tensor);
    return own.empty() ? Truth::unknown : own == path ? Truth::yes : Truth::no;
  }
  if (instance != nullptr && instance->api != nullptr) {
    return inherits(instance->api, path) == Truth::yes ? Truth::yes : Truth::unknown;
  }
  return Truth::unknown;
}

static Ref is_instance(Machine& m, Call& call)
{
  const Ref value = take(m, call, "object");
  std::vector<Ref> types = m.items_of(take(m, call, "classinfo"));
  if (types.empty()) {
    types.push_back(take(m, call, "classinfo"));
  }
  bool unsure = false;
  for (const Ref type : types) {
    const Truth verdict = is_a(value, type);
    if (verdict == Truth::yes) {
      return m.boolean(true);
    }
    unsure = unsure || verdict == Truth::unknown;
  }
  return unsure ? m.truth() : m.boolean(false);
}

static Truth has_member(const Class& klass, std::string_view name)
{
  return walk(&klass, Truth::unknown, [name](const Class* one, auto& into) {
    if (one->attributes.contains(name)) {
      return Truth::yes;
    }
    Truth result = one->base_unknown || one->api_base != nullptr ? Truth::unknown : Truth::no;
    for (const Ref base : one->bases) {
      if (const auto* parent = as<Class>(base)) {
        const Truth above = into(parent);
        result = above == Truth::no ? result : above;
        if (above == Truth::yes) {
          break;
        }
      }
    }
    return result;
  });
}

static Truth has_attribute(Ref object, std::string_view name)
{
  const auto* instance = as<Instance>(object);
  if (instance == nullptr) {
    return Truth::unknown;
  }
  if (instance->attributes.contains(name)) {
    return Truth::yes;
  }
  const Truth inherited =
      instance->klass != nullptr ? has_member(*instance->klass, name) : Truth::no;
  return inherited == Truth::no && instance->api != nullptr ? Truth::unknown : inherited;
}

static Ref has_attr(Machine& m, Call& call)
{
  const auto name = m.to_string(take(m, call, "name"));
  const Truth known = name ? has_attribute(take(m, call, "object"), *name) : Truth::unknown;
  return known == Truth::unknown ? m.truth() : m.boolean(known == Truth::yes);
}

static Ref get_attr(Machine& m, Call& call)
{
  const Ref object = take(m, call, "object");
  const auto name = m.to_string(take(m, call, "name"));
  if (!name) {
    return m.unknown();
  }
  if (call.given("default") != nullptr && has_attribute(object, *name) == Truth::no) {
    return take(m, call, "default");
  }
  return m.attribute(object, *name, call.span);
}

static Ref set_attr(Machine& m, Call& call)
{
  if (const auto name = m.to_string(take(m, call, "name"))) {
    m.set_attribute(
        take(m, call, "object"), m.keep(std::string(*name)), take(m, call, "value"), call.span);
  }
  return m.none();
}

static Ref vars_of(Machine& m, Call& call)
{
  Dict* const result = m.dict();
  const auto* instance = as<Instance>(take(m, call, "object"));
  result->open = instance == nullptr;
  if (instance != nullptr) {
    for (const auto& [name, value] : instance->attributes) {
      result->items.emplace_back(m.string(std::string(name)), value);
    }
  }
  return result;
}

static Ref names_of_scope(Machine& m, Call&)
{
  Dict* const result = m.dict();
  result->open = true;
  return result;
}

static Ref is_callable(Machine& m, Call& call)
{
  switch (take(m, call, "object")->kind) {
  case Kind::function:
  case Kind::klass:
  case Kind::bound:
    return m.boolean(true);
  case Kind::none:
  case Kind::constant:
  case Kind::number:
  case Kind::text:
  case Kind::sequence:
  case Kind::dict:
  case Kind::tensor:
    return m.boolean(false);
  default:
    return m.truth();
  }
}

static Ref file(Machine& m, Call& call)
{
  return object_of(m, "builtins.file", call);
}
static Ref myself(Machine&, Call& call)
{
  return call.self;
}

static constexpr std::string_view k_error = "builtins.BaseException";
static constexpr std::string_view k_open = "file, mode='r', buffering=-1, encoding=None, "
                                           "errors=None, newline=None, closefd=True, opener=None";

static constexpr Api k_rows[] = {
    {"builtins.object", "", Role::object},
    {"builtins.type", "object, bases=None, dict=None", Role::function, {}, 0, type_of},
    {"builtins.isinstance", "object, classinfo", Role::function, {}, 0, is_instance},
    {"builtins.issubclass", "klass, classinfo", Role::function, {}, 0, answers::truth},
    {"builtins.callable", "object", Role::function, {}, 0, is_callable},
    {"builtins.hasattr", "object, name", Role::function, {}, 0, has_attr},
    {"builtins.getattr", "object, name, default=None", Role::function, {}, 0, get_attr},
    {"builtins.setattr", "object, name, value", Role::function, {}, 0, set_attr},
    {"builtins.delattr", "object, name", Role::opaque, {}, 0, answers::none},
    {"builtins.vars", "object=None", Role::function, {}, 0, vars_of},
    {"builtins.globals", "", Role::function, {}, 0, names_of_scope},
    {"builtins.locals", "", Role::function, {}, 0, names_of_scope},
    {"builtins.dir", "object=None", Role::function, {}, 0, answers::texts},
    {"builtins.print", "*args, **kwargs", Role::opaque, {}, 0, answers::none},
    {"builtins.input", "prompt=''", Role::function, {}, 0, answers::text},
    {"builtins.raw_input", "prompt=''", Role::function, {}, 0, answers::text},
    {"six.moves.input", "prompt=''", Role::function, {}, 0, answers::text},
    {"builtins.eval", "*args", Role::function},
    {"builtins.exec", "*args", Role::function},
    {"builtins.execfile", "*args", Role::function},
    {"builtins.compile", "*args, **kwargs", Role::function},
    {"builtins.__import__", "*args, **kwargs", Role::function},
    {"builtins.reload", "module", Role::opaque},
    {"builtins.exit", "*args", Role::opaque},
    {"builtins.quit", "*args", Role::opaque},
    {"builtins.help", "*args", Role::opaque},
    {"builtins.breakpoint", "*args", Role::opaque},
    {"builtins.slice", "start, stop=None, step=None", Role::object},
    {"builtins.bytes", "*args", Role::object},
    {"builtins.bytearray", "*args", Role::object},
    {"builtins.memoryview", "object", Role::object},
    {"builtins.cmp", "a, b", Role::function},
    {"builtins.Ellipsis", "", Role::constant},
    {"builtins.NotImplemented", "", Role::constant},

    {"builtins.open", k_open, Role::function, {}, 0, file},
    {"io.open", k_open, Role::function, {}, 0, file},
    {"codecs.open", "filename, mode='r', encoding=None", Role::function, {}, 0, file},
    {"gzip.open", "filename, mode='rb', *args, **kwargs", Role::function, {}, 0, file},
    {"bz2.open", "filename, mode='rb', *args, **kwargs", Role::function, {}, 0, file},
    {"builtins.file", k_open, Role::object},
    {"builtins.file.read", "size=-1", Role::method, {}, 0, answers::text},
    {"builtins.file.readline", "size=-1", Role::method, {}, 0, answers::text},
    {"builtins.file.readlines", "hint=-1", Role::method, {}, 0, answers::texts},
    {"builtins.file.write", "text", Role::opaque},
    {"builtins.file.writelines", "lines", Role::opaque},
    {"builtins.file.close", "", Role::opaque},
    {"builtins.file.flush", "", Role::opaque},
    {"builtins.file.seek", "*args", Role::opaque},
    {"builtins.file.tell", "", Role::opaque},
    {"builtins.file.name", "", Role::attribute, {}, 0, answers::text},
    {"builtins.file.__enter__", "", Role::method, {}, 0, myself},
    {"builtins.file.__iter__", "", Role::method, {}, 0, answers::text},

    {k_error, "*args", Role::object},
    {"builtins.BaseException.args", "", Role::attribute},
    {"builtins.Exception", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.ArithmeticError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.AssertionError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.AttributeError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.EOFError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.EnvironmentError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.FileExistsError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.FileNotFoundError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.IOError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.ImportError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.IndexError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.KeyError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.KeyboardInterrupt", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.LookupError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.MemoryError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.ModuleNotFoundError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.NameError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.NotImplementedError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.OSError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.OverflowError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.PermissionError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.RuntimeError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.StopIteration", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.SyntaxError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.SystemError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.SystemExit", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.TimeoutError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.TypeError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.UnicodeDecodeError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.UnicodeError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.ValueError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.ZeroDivisionError", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.Warning", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.DeprecationWarning", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.FutureWarning", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.RuntimeWarning", "*args", Role::object, {}, 0, nullptr, k_error},
    {"builtins.UserWarning", "*args", Role::object, {}, 0, nullptr, k_error},
};

std::span<const Api> python_objects()
{
  return k_rows;
}

} // namespace faultline::program
