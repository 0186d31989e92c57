// How values are read as Python's numbers, sizes, types and names.

#include "program/machine/machine.hpp"
#include "program/values/walk.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace faultline::program {

// All options of a Choice must agree; for other values, what `read` says.
template <typename Read> static auto agreed(Ref value, Read read) -> decltype(read(value))
{
  const auto* choice = as<Choice>(value);
  if (choice == nullptr) {
    return value != nullptr ? read(value) : decltype(read(value))();
  }
  auto first = read(choice->options.front());
  for (const Ref option : choice->options) {
    if (read(option) != first) {
      return {};
    }
  }
  return first;
}

template <typename T> static const T* constant(Ref value)
{
  const auto* found = as<Constant>(value);
  return found != nullptr ? std::get_if<T>(&found->value) : nullptr;
}

std::optional<bool> Machine::to_bool(Ref value) const
{
  return agreed(value, [](Ref one) -> std::optional<bool> {
    const bool* found = constant<bool>(one);
    return found != nullptr ? std::optional(*found) : std::nullopt;
  });
}

std::optional<bool> Machine::truthiness(Ref value) const
{
  return agreed(value, [](Ref one) -> std::optional<bool> {
    switch (one->kind) {
    case Kind::none:
      return false;
    case Kind::constant:
      return std::visit(
          [](const auto& v) {
            using V = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<V, std::string>) {
              return !v.empty();
            } else {
              return v != V{};
            }
          },
          as<Constant>(one)->value);
    case Kind::sequence: {
      const auto* sequence = as<Sequence>(one);
      return !sequence->items.empty() ? std::optional(true)
             : sequence->open         ? std::nullopt
                                      : std::optional(false);
    }
    case Kind::dict: {
      const auto* dict = as<Dict>(one);
      return !dict->items.empty() ? std::optional(true)
             : dict->open         ? std::nullopt
                                  : std::optional(false);
    }
    case Kind::function:
    case Kind::klass:
    case Kind::bound:
      return true;
    default:
      return std::nullopt;
    }
  });
}

std::optional<int64_t> Machine::to_int(Ref value) const
{
  return agreed(value, [](Ref one) -> std::optional<int64_t> {
    if (const int64_t* found = constant<int64_t>(one)) {
      return *found;
    }
    if (const bool* found = constant<bool>(one)) {
      return *found ? 1 : 0;
    }
    if (const double* found = constant<double>(one);
        found != nullptr && std::nearbyint(*found) == *found && std::abs(*found) < 1e15) {
      return static_cast<int64_t>(*found);
    }
    return std::nullopt;
  });
}

std::optional<double> Machine::to_double(Ref value) const
{
  return agreed(value, [](Ref one) -> std::optional<double> {
    if (const double* found = constant<double>(one)) {
      return *found;
    }
    if (const int64_t* found = constant<int64_t>(one)) {
      return static_cast<double>(*found);
    }
    if (const bool* found = constant<bool>(one)) {
      return *found ? 1.0 : 0.0;
    }
    if (const auto* tensor = as<Tensor>(one)) {
      return tensor->interval.value();
    }
    return std::nullopt;
  });
}

std::optional<std::string_view> Machine::to_string(Ref value) const
{
  return agreed(value, [](Ref one) -> std::optional<std::string_view> {
    const std::string* found = constant<std::string>(one);
    return found != nullptr ? std::optional<std::string_view>(*found) : std::nullopt;
  });
}

Dim Machine::to_dim(Ref value) const
{
  if (const std::optional<int64_t> whole = to_int(value)) {
    return Dim::constant(*whole);
  }
  const auto* number = as<Number>(value);
  return number != nullptr ? number->dim : Dim::top();
}

std::optional<std::vector<Dim>> Machine::to_dims(Ref value) const
{
  if (value == nullptr) {
    return std::nullopt;
  }
  if (const auto* tensor = as<Tensor>(value); tensor != nullptr && tensor->literal != nullptr) {
    value = tensor->literal;
  }
  if (const auto* sequence = as<Sequence>(value)) {
    if (sequence->open) {
      return std::nullopt;
    }
    std::vector<Dim> dims;
    for (const Ref item : sequence->items) {
      dims.push_back(to_dim(item));
    }
    return dims;
  }
  if (to_int(value) || as<Number>(value) != nullptr) {
    return std::vector<Dim>{to_dim(value)};
  }
  return std::nullopt;
}

std::optional<std::vector<int64_t>> Machine::to_ints(Ref value, size_t n) const
{
  if (const std::optional<int64_t> one = to_int(value)) {
    return std::vector<int64_t>(n, *one);
  }
  const auto* sequence = as<Sequence>(value);
  if (sequence == nullptr || sequence->open) {
    return std::nullopt;
  }
  std::vector<int64_t> numbers;
  for (const Ref item : sequence->items) {
    const std::optional<int64_t> number = to_int(item);
    if (!number) {
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  if (numbers.size() == 1) {
    numbers.resize(n, numbers.front());
  }
  return numbers.size() == n ? std::optional(numbers) : std::nullopt;
}

std::optional<DType> Machine::to_dtype(Ref value) const
{
  return agreed(value, [this](Ref one) -> std::optional<DType> {
    if (const std::optional<std::string_view> name = to_string(one)) {
      return DType::named(*name);
    }
    if (const auto* api = as<ApiName>(one)) {
      return DType::named(api->path);
    }
    return std::nullopt;
  });
}

std::optional<Device> Machine::to_device(Ref value) const
{
  if (const auto* object = as<Instance>(value)) {
    return object->device == Device::top() ? std::nullopt : std::optional(object->device);
  }
  if (const auto* index = constant<int64_t>(value)) {
    return Device::cuda(static_cast<int32_t>(*index));
  }
  const std::optional<std::string_view> name = to_string(value);
  return name ? Device::named(*name) : std::nullopt;
}

Interval Machine::to_interval(Ref value) const
{
  if (const std::optional<double> point = to_double(value)) {
    return std::isnan(*point) ? Interval::top() : Interval::point(*point);
  }
  if (const auto* number = as<Number>(value)) {
    return number->interval;
  }
  if (const auto* tensor = as<Tensor>(value)) {
    return tensor->interval;
  }
  return Interval::top();
}

bool Machine::is_none(Ref value) const
{
  return value != nullptr && value->kind == Kind::none;
}

namespace {

// The shape of nested lists and the hull of their numbers.
class Measure {
public:
  explicit Measure(const Machine& machine) : m_machine(machine) {}

  // False if they are ragged, not numbers, or nested more deeply than any array.
  bool of(Ref value)
  {
    constexpr WalkLimits k_limits = {.depth = 10};
    return walk(
        value,
        false,
        [this](Ref one, auto& into) {
          if (const auto* list = as<Sequence>(one)) {
            return has_length(list->length(), into.depth()) &&
                   std::ranges::all_of(list->items, std::ref(into)) &&
                   (!list->open || list->rest == nullptr || into(list->rest));
          }
          const auto* tensor = as<Tensor>(one);
          return tensor != nullptr ? add_tensor(*tensor, into.depth())
                                   : add_number(one, into.depth());
        },
        Again::visit,
        k_limits);
  }

  std::vector<Dim> dims;
  DType dtype = DType::bottom();
  Interval interval = Interval::bottom();

private:
  bool has_length(const Dim& length, size_t depth)
  {
    if (depth == dims.size()) {
      dims.push_back(length);
      return true;
    }
    return dims[depth].compare(length) != Dim::Comparison::different;
  }

  void add_type(DType own) { dtype = dtype == DType::bottom() ? own : DType::promoted(dtype, own); }

  bool add_tensor(const Tensor& tensor, size_t depth)
  {
    if (!tensor.shape.has_rank()) {
      return false;
    }
    for (size_t i = 0; i < tensor.shape.dims().size(); ++i) {
      if (!has_length(tensor.shape.dims()[i], depth + i)) {
        return false;
      }
    }
    interval.join(tensor.interval);
    add_type(tensor.dtype);
    return true;
  }

  bool add_number(Ref value, size_t depth)
  {
    DType own = DType::Kind::unknown;
    if (const auto* found = as<Constant>(value)) {
      own = std::visit(
          [](const auto& v) -> DType {
            using V = std::decay_t<decltype(v)>;
            return std::is_same_v<V, bool>      ? DType::Kind::boolean
                   : std::is_same_v<V, int64_t> ? DType::Kind::int64
                   : std::is_same_v<V, double>  ? DType::Kind::float64
                                                : DType::Kind::string;
          },
          found->value);
    } else if (const auto* number = as<Number>(value)) {
      own = number->integer ? DType::Kind::int64 : DType::Kind::float64;
    } else {
      return false;
    }
    add_type(own);
    interval.join(m_machine.to_interval(value));
    return depth >= dims.size();
  }

  const Machine& m_machine;
};

} // namespace

Tensor* Machine::to_tensor(Ref value)
{
  if (value == nullptr) {
    return nullptr;
  }
  if (auto* tensor = as<Tensor>(value)) {
    return tensor;
  }
  if (value->kind == Kind::unknown) {
    Tensor*& stand_in = m_stand_ins[value];
    if (stand_in == nullptr) {
      stand_in = data(Library::other, Shape::top(), {}, Interval::top());
      stand_in->origin = value->origin;
    }
    return stand_in;
  }
  if (const auto* choice = as<Choice>(value)) {
    Ref joined = nullptr;
    for (const Ref option : choice->options) {
      if (as<Tensor>(option) != nullptr) {
        joined = joined == nullptr ? option : join(joined, option);
      }
    }
    return as<Tensor>(joined);
  }
  if (value->kind != Kind::sequence && value->kind != Kind::constant &&
      value->kind != Kind::number) {
    return nullptr;
  }
  Measure measured(*this);
  if (!measured.of(value)) {
    return nullptr;
  }
  Tensor* made = data(Library::numpy,
                      Shape::of(std::move(measured.dims)),
                      measured.dtype == DType::bottom() ? DType::top() : measured.dtype,
                      measured.interval.is_bottom() ? Interval::top() : measured.interval);
  made->origin = value->origin;
  made->literal = value;
  made->requires_grad = Truth::no;
  return made;
}

std::vector<Ref> Machine::items_of(Ref value) const
{
  if (const auto* sequence = as<Sequence>(value)) {
    return sequence->items;
  }
  if (const auto* object = as<Instance>(value)) {
    return object->items;
  }
  return {};
}

std::string_view Machine::op_of(Ref value) const
{
  if (value == nullptr) {
    return {};
  }
  if (value->kind == Kind::none) {
    return "linear";
  }
  if (const auto* name = as<ApiName>(value)) {
    return name->api != nullptr ? name->api->op : std::string_view();
  }
  if (const auto* object = as<Instance>(value)) {
    return object->klass == nullptr && object->api != nullptr ? object->api->op
                                                              : std::string_view();
  }
  const std::optional<std::string_view> word = to_string(value);
  if (!word) {
    return {};
  }
  // Keras resolves a string among its activations, losses, initializers and optimizers.
  for (const std::string_view module :
       {"keras.activations.", "keras.losses.", "keras.initializers.", "keras.optimizers."}) {
    if (const Api* api = find_api(std::string(module) + std::string(*word))) {
      return api->op;
    }
  }
  return {};
}

} // namespace faultline::program
