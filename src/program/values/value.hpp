#pragma once

// Abstract values: what the interpreter knows of a Python object. All are owned by the Program and
// live as long as it; a Ref is never null unless a comment says so. Containers and instances are
// mutable and have identity, as in Python; everything else never changes once made.

#include "program/domains/device.hpp"
#include "program/domains/dim.hpp"
#include "program/domains/dtype.hpp"
#include "program/domains/interval.hpp"
#include "program/domains/shape.hpp"
#include "program/syntax/span.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace faultline::program {

struct Api;
struct Call;
struct Scope;
struct Syntax;
struct Unit;

enum class Kind : uint8_t {
  unknown,  // could be anything
  none,     // Python's None
  constant, // bool, int, float, str: the value is known
  number,   // a number whose value is not known, with what is known of it
  text,     // a str whose value is not known
  sequence, // list, tuple, set, range made into a list
  dict,
  function, // a def or lambda of the program
  klass,    // a class of the program
  instance, // of a class of the program or of a framework
  bound,    // a method with its object
  api,      // a module, function, class or method of a library, by its name
  module,   // a file of the program
  tensor,   // an array of any framework
  choice,   // one of several, which depends on the run
  slice,    // a:b:c inside an index
};

struct Value {
  explicit Value(Kind k) : kind(k) {}
  Value(const Value&) = default;
  Value& operator=(const Value&) = default;
  virtual ~Value() = default;

  Kind kind;
  bool assumed = false; // a default that the user may override on the command line
  Span origin;          // the expression that made it
};

using Ref = Value*;

struct Unknown : Value {
  static constexpr Kind k_kind = Kind::unknown;
  Unknown() : Value(k_kind) {}
  std::string why;      // what was not understood, if that is the reason
  Ref object = nullptr; // it is an attribute of this; may be null
  std::string_view attribute = {};
};

struct None : Value {
  static constexpr Kind k_kind = Kind::none;
  None() : Value(k_kind) {}
};

struct Constant : Value {
  static constexpr Kind k_kind = Kind::constant;
  Constant() : Value(k_kind) {}
  std::variant<bool, int64_t, double, std::string> value;
};

// `integer` tells int from float; `dim` is the symbolic size it stands for (x.size(0)), else
// unknown.
struct Number : Value {
  static constexpr Kind k_kind = Kind::number;
  Number() : Value(k_kind) {}
  bool integer = false;
  Dim dim = Dim::top();
  Interval interval = Interval::top();
};

struct Text : Value {
  static constexpr Kind k_kind = Kind::text;
  Text() : Value(k_kind) {}
};

// Containers remember at which branch their content was last saved; see Machine's trail.
struct Container : Value {
  using Value::Value;
  uint32_t saved_at = 0;
};

struct Sequence : Container {
  static constexpr Kind k_kind = Kind::sequence;
  enum class Type : uint8_t { list, tuple, set };
  Sequence() : Container(k_kind) {}
  Type type = Type::list;
  std::vector<Ref> items;
  bool open = false;  // may hold more items than `items`
  Ref rest = nullptr; // what those look like; may be null
  Dim length() const
  {
    return open ? Dim::top() : Dim::constant(static_cast<int64_t>(items.size()));
  }
};

struct Dict : Container {
  static constexpr Kind k_kind = Kind::dict;
  Dict() : Container(k_kind) {}
  std::vector<std::pair<Ref, Ref>> items;
  bool open = false;
  Ref find(std::string_view key) const; // null if there is no such constant key
};

struct Function : Value {
  static constexpr Kind k_kind = Kind::function;
  enum class Flavour : uint8_t { plain, static_method, class_method, property };
  Function() : Value(k_kind) {}
  const Syntax* definition = nullptr; // a def or a lambda
  Unit* unit = nullptr;
  Scope* closure = nullptr;
  struct Class* owner = nullptr; // the class that it is a method of; may be null
  Flavour flavour = Flavour::plain;
  std::vector<Ref> defaults; // by parameter; null where there is none
  std::string_view name;
  std::map<std::string_view, Ref> options; // defaults that a decorator supplies (click)
  bool gradient_off = false;               // decorated by torch.no_grad
  bool ran = false;
};

struct Class : Container {
  static constexpr Kind k_kind = Kind::klass;
  Class() : Container(k_kind) {}
  const Syntax* definition = nullptr;
  Unit* unit = nullptr;
  std::string_view name;
  std::vector<Ref> bases;                     // Class or ApiName or unknown
  std::map<std::string_view, Ref> attributes; // methods and class variables
  const Api* api_base = nullptr; // the first framework class it derives from; may be null
  bool base_unknown = false;     // some base is not understood
  bool instantiated = false;
};

// An object of a user's class (`klass` set) or of a framework's (`api` set). A user's class that
// derives from a framework's has both.
struct Instance : Container {
  static constexpr Kind k_kind = Kind::instance;
  Instance() : Container(k_kind) {}
  Class* klass = nullptr;
  const Api* api = nullptr;
  Call* made_by = nullptr; // the constructor call, with its arguments; null if made speculatively
  std::map<std::string_view, Ref> attributes;
  std::vector<Ref> items; // sub-layers of Sequential, ModuleList; data sets of a concatenation
  Device device = Device::top(); // of a module, as far as .to()/.cuda() tell
  std::vector<Call*> applied;    // each time it was called on tensors
};

struct Bound : Value {
  static constexpr Kind k_kind = Kind::bound;
  Bound() : Value(k_kind) {}
  Ref self = nullptr;
  Function* function = nullptr;
};

// `path` is canonical: "keras.layers.Dense" however it was imported. A method of a framework object
// is the path "torch.optim.Optimizer.step" with `self` set.
struct ApiName : Value {
  static constexpr Kind k_kind = Kind::api;
  ApiName() : Value(k_kind) {}
  std::string path;
  std::string written; // the path before aliases were followed: "tensorflow.keras.layers.Dense"
  const Api* api = nullptr; // null: a module, or a name that no table has
  Ref self = nullptr;       // null unless a method
};

// A file of the program, or with `name` one of its names, which is looked up when first used.
struct ModuleRef : Value {
  static constexpr Kind k_kind = Kind::module;
  ModuleRef() : Value(k_kind) {}
  Unit* unit = nullptr;
  std::string_view name = {};
};

enum class Truth : uint8_t { no, yes, unknown };
enum class Library : uint8_t { numpy, torch, tensorflow, keras, pandas, other };

// What the numbers of a tensor mean.
enum class Encoding : uint8_t {
  unknown,
  image,
  class_index,
  one_hot,
  multi_hot,
  binary,
  real,
  token,
  probability,
  log_probability,
  logit,
  text,
  mask
};

// Where data came from: a loader of the table, one of its splits, its features or its labels. Kept
// through slicing, scaling and reshaping.
struct DataSource {
  enum class Split : uint8_t { train, test, validation, whole };
  enum class Part : uint8_t { features, labels };
  std::string_view name; // "mnist"
  Split split = Split::whole;
  Part part = Part::features;
  Interval raw = Interval::top(); // values as loaded
  int64_t classes = 0;            // 0: not a classification set, or not known
  Call* loader = nullptr;
};

struct Tensor : Value {
  static constexpr Kind k_kind = Kind::tensor;
  Tensor() : Value(k_kind) {}
  Library library = Library::other;
  Shape shape = Shape::top();
  DType dtype;
  Interval interval = Interval::top();
  Device device = Device::top();
  Truth requires_grad = Truth::unknown; // yes: a gradient flows from it to some parameter
  Truth leaf = Truth::unknown;          // made by the user, not by an operation
  Truth contiguous = Truth::unknown;
  Encoding encoding = Encoding::unknown;
  int64_t classes = 0; // number of classes that its values tell apart, 0 if not known
  const DataSource* source = nullptr; // may be null
  Call* producer = nullptr;           // null for data and parameters
  Ref literal = nullptr;              // the Python list it was made from, if constant; may be null
};

struct Choice : Value {
  static constexpr Kind k_kind = Kind::choice;
  Choice() : Value(k_kind) {}
  std::vector<Ref> options; // two to four, none of them a Choice or unknown
};

// Each part is None where it is left out.
struct Slice : Value {
  static constexpr Kind k_kind = Kind::slice;
  Slice() : Value(k_kind) {}
  Ref from = nullptr;
  Ref to = nullptr;
  Ref step = nullptr;
};

// `as<Tensor>(ref)` is null if the value is of another kind (or `ref` is null).
template <typename T> T* as(Ref value)
{
  return value != nullptr && value->kind == T::k_kind ? static_cast<T*>(value) : nullptr;
}

} // namespace faultline::program
