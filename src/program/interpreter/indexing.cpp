#include "base/format.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/values/classes.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::program {

Ref Interpreter::item(Ref object, Ref index, Call& call)
{
  const Deeper deeper(*this);
  if (deeper.too_deep()) {
    return unknown();
  }
  switch (object->kind) {
  case Kind::tensor: {
    auto* tensor = as<Tensor>(object);
    const Api* row =
        tensor->library == Library::pandas ? find_api("pandas.DataFrame.__getitem__") : nullptr;
    if (row == nullptr || row->transfer == nullptr) {
      return index_tensor(*tensor, index, call);
    }
    Call& inner = record(std::string(row->name), row, call.span);
    inner.self = tensor;
    inner.arguments = {{.name = "index", .value = index, .span = call.span, .given = true}};
    return finish(inner, row->transfer(*this, inner));
  }
  case Kind::sequence:
    return index_sequence(*as<Sequence>(object), index);
  case Kind::dict: {
    const auto* held = as<Dict>(object);
    const auto* key = as<Constant>(index);
    for (const auto& [other, value] : held->items) {
      const auto* constant = as<Constant>(other);
      if (key != nullptr && constant != nullptr && constant->value == key->value) {
        return value;
      }
    }
    if (key == nullptr && !held->items.empty()) {
      Ref one = nullptr;
      for (const auto& [other, value] : held->items) {
        one = one == nullptr ? value : join(one, value);
      }
      return one;
    }
    return unknown();
  }
  case Kind::choice: {
    Ref one = nullptr;
    for (const Ref option : as<Choice>(object)->options) {
      if (option->kind != Kind::none) {
        const Ref held = item(option, index, call);
        one = one == nullptr ? held : join(one, held);
      }
    }
    return one != nullptr ? one : unknown();
  }
  case Kind::instance: {
    auto* holder = as<Instance>(object);
    if (holder->klass != nullptr) {
      if (auto* function = as<Function>(find_in_class(*holder->klass, "__getitem__"))) {
        return this->call(bind_method(*function, holder), std::vector<Ref>{index}, call.span);
      }
    }
    if (holder->api != nullptr) {
      if (const Api* row = find_method(*holder->api, "__getitem__")) {
        Call& inner = record(std::string(row->name), row, call.span);
        inner.self = holder;
        inner.arguments = {{.name = "index", .value = index, .span = call.span, .given = true}};
        return finish(inner, row->transfer != nullptr ? row->transfer(*this, inner) : unknown());
      }
    }
    const std::optional<int64_t> at = to_int(index);
    const auto size = static_cast<int64_t>(holder->items.size());
    if (at && *at >= -size && *at < size) {
      return holder->items[static_cast<size_t>(*at < 0 ? *at + size : *at)];
    }
    return unknown();
  }
  case Kind::text:
    return text();
  case Kind::constant:
    return to_string(object) ? text() : unknown();
  case Kind::api: // typing.List[int]
  default:
    return unknown();
  }
}

Ref Interpreter::index_sequence(Sequence& sequence, Ref index)
{
  const auto size = static_cast<int64_t>(sequence.items.size());
  if (const std::optional<int64_t> at = to_int(index)) {
    if (*at >= 0 && *at < size) {
      return sequence.items[static_cast<size_t>(*at)];
    }
    if (*at < 0 && -*at <= size && !sequence.open) {
      return sequence.items[static_cast<size_t>(*at + size)];
    }
    return sequence.rest != nullptr ? sequence.rest : unknown();
  }
  if (const auto* slice = as<Slice>(index)) {
    const std::optional<int64_t> step =
        is_none(slice->step) ? std::optional<int64_t>(1) : to_int(slice->step);
    const bool known = (is_none(slice->from) || to_int(slice->from)) &&
                       (is_none(slice->to) || to_int(slice->to)) && step && *step != 0;
    if (known && !sequence.open) {
      // Python's rules: bounds are clipped, and count from the end if negative.
      const auto clip = [size](int64_t place, int64_t low, int64_t high) {
        return std::clamp<int64_t>(place < 0 ? place + size : place, low, high);
      };
      const bool forward = *step > 0;
      const int64_t low = forward ? 0 : -1;
      const int64_t high = forward ? size : size - 1;
      const int64_t first =
          is_none(slice->from) ? (forward ? 0 : size - 1) : clip(*to_int(slice->from), low, high);
      const int64_t last =
          is_none(slice->to) ? (forward ? size : -1) : clip(*to_int(slice->to), low, high);
      Sequence* made = list({});
      made->type = sequence.type;
      // A stride longer than the list ends it; a longer one would overflow.
      const int64_t stride = std::clamp(*step, -size - 1, size + 1);
      for (int64_t i = first; forward ? i < last : i > last; i += stride) {
        made->items.push_back(sequence.items[static_cast<size_t>(i)]);
      }
      return made;
    }
    Ref rest = sequence.rest;
    for (const Ref held : sequence.items) {
      rest = rest == nullptr ? held : join(rest, held);
    }
    Sequence* made = open_list(rest);
    made->type = sequence.type;
    return made;
  }
  Ref one = sequence.rest;
  for (const Ref held : sequence.items) {
    one = one == nullptr ? held : join(one, held);
  }
  return one != nullptr ? one : unknown();
}

// The size of axis `size` after [from:to:step]; unknown where a bound is.
static Dim sliced(const Machine& machine, const Dim& size, const Slice& slice, bool of_samples)
{
  const std::optional<int64_t> step =
      machine.is_none(slice.step) ? std::optional<int64_t>(1) : machine.to_int(slice.step);
  const bool from_start = machine.is_none(slice.from);
  const bool to_end = machine.is_none(slice.to);
  if (!step || *step == 0) {
    return Dim::top();
  }
  if (from_start && to_end) {
    return *step == 1 || *step == -1 ? size : size.ceil_div(std::abs(*step));
  }
  if (*step < 0) {
    return Dim::top();
  }
  const std::optional<int64_t> whole = size.constant();
  const std::optional<int64_t> from =
      from_start ? std::optional<int64_t>(0) : machine.to_int(slice.from);
  const std::optional<int64_t> to = to_end ? std::nullopt : machine.to_int(slice.to);
  if (!whole) {
    // Of an axis that is not known: x[n:] and x[:-n] leave out n, and we take them to be there.
    if (to_end && from && *from >= 0) {
      return size.minus(Dim::constant(*from)).ceil_div(*step);
    }
    if (from_start && to && *to < 0) {
      return size.plus(Dim::constant(*to)).ceil_div(*step);
    }
    // Columns that are asked for by number exist; of samples there may be fewer.
    const int64_t count = to.value_or(-1) - from.value_or(0);
    if (!of_samples && from && *from >= 0 && to && count >= 0) {
      return Dim::constant(count).ceil_div(*step);
    }
    return Dim::top();
  }
  if (!from || (!to_end && !to)) {
    return Dim::top();
  }
  const auto clip = [&](int64_t place) {
    return std::clamp<int64_t>(place < 0 ? place + *whole : place, 0, *whole);
  };
  const int64_t first = clip(*from);
  const int64_t last = clip(to.value_or(*whole));
  return Dim::constant(last > first ? (last - first + *step - 1) / *step : 0);
}

// x[x >= 5] holds no number below 5; nothing if the selection says nothing of the values.
static std::optional<Interval> selected(const Machine& machine, const Tensor& tensor, Ref index)
{
  const auto* mask = as<Tensor>(index);
  const Call* test = mask != nullptr ? mask->producer : nullptr;
  const std::optional<double> limit = test != nullptr && test->arg("a") == &tensor
                                          ? machine.to_double(test->arg("b"))
                                          : std::nullopt;
  if (!limit || !tensor.interval.is_known()) {
    return std::nullopt;
  }
  const bool whole = tensor.dtype.is_integer() && std::floor(*limit) == *limit;
  const double beyond = whole ? 1 : 0;
  std::optional<double> low;
  std::optional<double> high;
  if (test->is("greater_equal") || test->is("equal")) {
    low = *limit;
  } else if (test->is("greater")) {
    low = *limit + beyond;
  }
  if (test->is("less_equal") || test->is("equal")) {
    high = *limit;
  } else if (test->is("less")) {
    high = *limit - beyond;
  }
  return low || high ? std::optional(tensor.interval.clipped(low, high)) : std::nullopt;
}

// Which classes a selection still holds is not known; of images it holds some.
static void forget_selected(const Machine& machine, Tensor& made, const Tensor& from, Ref index)
{
  if (made.encoding != Encoding::image) {
    made.interval = selected(machine, from, index).value_or(Interval::top());
    made.classes = 0;
  }
}

// TensorFlow takes numbers and slices only; a mask is converted, so it is left alone.
static void
refuse_index_array(Machine& machine, const Tensor& tensor, const Shape& index, Call& call)
{
  const bool refuses = tensor.library == Library::tensorflow && index.rank().value_or(0) > 0;
  if (refuses) {
    Problem& problem =
        machine.problem(ProblemKind::index,
                        call.span,
                        "a tensor of TensorFlow cannot be indexed by a list or array",
                        &call);
    problem.help = "select with `tf.gather(tensor, indices, axis=...)`";
  }
}

Ref Interpreter::index_tensor(Tensor& tensor, Ref index, Call& call)
{
  if (call.arguments.empty()) {
    call.arguments = {{.name = "a", .value = &tensor, .span = call.span, .given = true}};
  }
  Tensor* made = like(call, tensor);
  made->literal = nullptr;
  std::vector<Ref> parts = {index};
  if (const auto* several = as<Sequence>(index);
      several != nullptr && several->type == Sequence::Type::tuple) {
    parts = several->items;
  }
  const bool has_ellipsis = std::ranges::any_of(parts, [](Ref part) {
    const auto* name = as<ApiName>(part);
    return name != nullptr && name->path == "builtins.Ellipsis";
  });
  const auto consumes = [](Ref part) {
    const auto* name = as<ApiName>(part);
    const bool ellipsis = name != nullptr && name->path == "builtins.Ellipsis";
    const bool new_axis =
        part->kind == Kind::none || (name != nullptr && name->path.ends_with(".newaxis"));
    return !ellipsis && !new_axis;
  };
  // A column of a frame, a mask of the same rank: not an axis by position.
  if (parts.size() == 1) {
    const auto* mask = as<Tensor>(parts.front());
    if (to_string(parts.front()) || parts.front()->kind == Kind::unknown ||
        (mask != nullptr && mask->dtype == DType(DType::Kind::boolean) &&
         mask->shape.rank() != std::optional<size_t>(1))) {
      made->shape = Shape::top();
      forget_selected(*this, *made, tensor, parts.front());
      return made;
    }
  }
  if (!tensor.shape.has_rank()) {
    made->shape = Shape::top();
    return made;
  }
  const std::vector<Dim>& dims = tensor.shape.dims();
  const auto taken = static_cast<size_t>(std::ranges::count_if(parts, consumes));
  if (taken > dims.size()) {
    problem(ProblemKind::index,
            call.span,
            format("{} indices for a tensor of shape {}", taken, tensor.shape.text()),
            &call);
    made->shape = Shape::top();
    return made;
  }
  std::vector<Dim> result;
  size_t axis = 0;
  bool listed = false; // several index arrays make one axis
  for (const Ref part : parts) {
    if (!consumes(part)) {
      const auto* name = as<ApiName>(part);
      if (name != nullptr && name->path == "builtins.Ellipsis") {
        for (size_t i = 0; i < dims.size() - taken; ++i) {
          result.push_back(dims[axis++]);
        }
      } else {
        result.push_back(Dim::constant(1));
      }
      continue;
    }
    const Dim size = dims[axis++];
    if (const std::optional<int64_t> at = to_int(part); at && part->kind == Kind::constant) {
      const std::optional<int64_t> whole = size.constant();
      if (whole && (*at >= *whole || *at < -*whole)) {
        problem(ProblemKind::index,
                call.span,
                format("index {} is outside of axis {} of size {}", *at, axis - 1, *whole),
                &call);
      }
    } else if (const auto* slice = as<Slice>(part)) {
      result.push_back(sliced(*this, size, *slice, axis == 1));
    } else if (part->kind == Kind::number) {
      // An index that is not known still drops the axis.
    } else if (const auto* array = as<Tensor>(part)) {
      if (array->dtype != DType(DType::Kind::boolean) && !array->dtype.is_unknown()) {
        refuse_index_array(*this, tensor, array->shape, call);
      }
      if (array->dtype == DType(DType::Kind::boolean)) {
        result.push_back(fresh_symbol());
        forget_selected(*this, *made, tensor, part);
      } else if (!listed && array->shape.has_rank()) {
        result.insert(result.end(), array->shape.dims().begin(), array->shape.dims().end());
        listed = true;
      } else if (!listed) {
        made->shape = Shape::top();
        return made;
      }
    } else if (const auto* list = as<Sequence>(part)) {
      refuse_index_array(*this, tensor, Shape::of_rank(1), call);
      if (!listed) {
        result.push_back(list->length());
        listed = true;
      }
    } else {
      made->shape = Shape::top();
      return made;
    }
  }
  if (!has_ellipsis) {
    result.insert(result.end(), dims.begin() + static_cast<std::ptrdiff_t>(axis), dims.end());
  }
  made->shape = Shape::of(std::move(result));
  return made;
}

Ref Dict::find(std::string_view key) const
{
  for (const auto& [held, value] : items) {
    const auto* constant = as<Constant>(held);
    const std::string* word =
        constant != nullptr ? std::get_if<std::string>(&constant->value) : nullptr;
    if (word != nullptr && *word == key) {
      return value;
    }
  }
  return nullptr;
}

} // namespace faultline::program
