#include "program/interpreter/items.hpp"

#include "program/interpreter/attributes.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/tensor_index.hpp"
#include "program/values/classes.hpp"

#include <algorithm>

namespace faultline::program {

static Ref index_sequence(Machine& m, Sequence& sequence, Ref index)
{
  const auto size = static_cast<int64_t>(sequence.items.size());
  if (const std::optional<int64_t> at = m.to_int(index)) {
    if (*at >= 0 && *at < size) {
      return sequence.items[static_cast<size_t>(*at)];
    }
    if (*at < 0 && -*at <= size && !sequence.open) {
      return sequence.items[static_cast<size_t>(*at + size)];
    }
    return sequence.rest != nullptr ? sequence.rest : m.unknown();
  }
  if (const auto* slice = as<Slice>(index)) {
    const std::optional<int64_t> step =
        m.is_none(slice->step) ? std::optional<int64_t>(1) : m.to_int(slice->step);
    const bool known = (m.is_none(slice->from) || m.to_int(slice->from)) &&
                       (m.is_none(slice->to) || m.to_int(slice->to)) && step && *step != 0;
    if (known && !sequence.open) {
      // Python's rules: bounds are clipped, and count from the end if negative.
      const auto clip = [size](int64_t place, int64_t low, int64_t high) {
        return std::clamp<int64_t>(place < 0 ? place + size : place, low, high);
      };
      const bool forward = *step > 0;
      const int64_t low = forward ? 0 : -1;
      const int64_t high = forward ? size : size - 1;
      const int64_t first = m.is_none(slice->from) ? (forward ? 0 : size - 1)
                                                   : clip(*m.to_int(slice->from), low, high);
      const int64_t last =
          m.is_none(slice->to) ? (forward ? size : -1) : clip(*m.to_int(slice->to), low, high);
      Sequence* made = m.list({});
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
      rest = rest == nullptr ? held : m.join(rest, held);
    }
    Sequence* made = m.open_list(rest);
    made->type = sequence.type;
    return made;
  }
  Ref one = sequence.rest;
  for (const Ref held : sequence.items) {
    one = one == nullptr ? held : m.join(one, held);
  }
  return one != nullptr ? one : m.unknown();
}

Ref item_at(Interpreter& m, Ref object, Ref index, Call& call)
{
  const Deeper deeper(m);
  if (deeper.too_deep()) {
    return m.unknown();
  }
  const Argument as_index{.name = "index", .value = index, .span = call.span, .given = true};
  switch (object->kind) {
  case Kind::tensor: {
    auto* tensor = as<Tensor>(object);
    const Api* row =
        tensor->library == Library::pandas ? find_api("pandas.DataFrame.__getitem__") : nullptr;
    if (row == nullptr || row->transfer == nullptr) {
      return index_tensor(m, *tensor, index, call);
    }
    return m.call_row(*row, tensor, {as_index}, call.span);
  }
  case Kind::sequence:
    return index_sequence(m, *as<Sequence>(object), index);
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
        one = one == nullptr ? value : m.join(one, value);
      }
      return one;
    }
    return m.unknown();
  }
  case Kind::choice: {
    Ref one = nullptr;
    for (const Ref option : as<Choice>(object)->options) {
      if (option->kind != Kind::none) {
        const Ref held = m.item(option, index, call);
        one = one == nullptr ? held : m.join(one, held);
      }
    }
    return one != nullptr ? one : m.unknown();
  }
  case Kind::instance: {
    auto* holder = as<Instance>(object);
    if (holder->klass != nullptr) {
      if (auto* function = as<Function>(find_in_class(*holder->klass, "__getitem__"))) {
        return m.call(bind_method(m, *function, holder), std::vector<Ref>{index}, call.span);
      }
    }
    if (holder->api != nullptr) {
      if (const Api* row = find_method(*holder->api, "__getitem__")) {
        return m.call_row(*row, holder, {as_index}, call.span);
      }
    }
    const std::optional<int64_t> at = m.to_int(index);
    const auto size = static_cast<int64_t>(holder->items.size());
    if (at && *at >= -size && *at < size) {
      return holder->items[static_cast<size_t>(*at < 0 ? *at + size : *at)];
    }
    return m.unknown();
  }
  case Kind::text:
    return m.text();
  case Kind::constant:
    return m.to_string(object) ? m.text() : m.unknown();
  case Kind::api: // typing.List[int]
  default:
    return m.unknown();
  }
}

} // namespace faultline::program
