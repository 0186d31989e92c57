#include "program/interpreter/iteration.hpp"

#include "program/interpreter/attributes.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/tensor_index.hpp"
#include "program/values/classes.hpp"

namespace faultline::program {

Ref one_item_of(Interpreter& m, Ref iterable, Span span)
{
  m.stand_at(span);
  const Deeper deeper(m);
  if (deeper.too_deep()) {
    return m.unknown();
  }
  switch (iterable->kind) {
  case Kind::sequence: {
    const auto* sequence = as<Sequence>(iterable);
    Ref one = sequence->rest;
    for (const Ref held : sequence->items) {
      one = one == nullptr ? held : m.join(one, held);
    }
    return one != nullptr ? one : m.unknown();
  }
  case Kind::dict: {
    const auto* held = as<Dict>(iterable);
    Ref one = nullptr;
    for (const auto& [key, value] : held->items) {
      one = one == nullptr ? key : m.join(one, key);
    }
    return one != nullptr ? one : m.unknown();
  }
  case Kind::tensor: {
    if (as<Tensor>(iterable)->shape.rank() == std::optional<size_t>(0)) {
      return m.unknown();
    }
    Call& call = m.record("operator.getitem", find_api("operator.getitem"), span);
    call.arguments = {{.name = "a", .value = iterable, .span = span, .given = true}};
    return m.finish(call,
                    index_tensor(m, *as<Tensor>(iterable), m.number(Interval::top(), true), call));
  }
  case Kind::choice: {
    Ref one = nullptr;
    for (const Ref option : as<Choice>(iterable)->options) {
      if (option->kind != Kind::none) {
        const Ref held = m.iterate(option, span);
        one = one == nullptr ? held : m.join(one, held);
      }
    }
    return one != nullptr ? one : m.unknown();
  }
  case Kind::constant:
  case Kind::text:
    return m.text();
  case Kind::instance: {
    auto* object = as<Instance>(iterable);
    if (object->klass != nullptr) {
      for (const std::string_view name : {"__iter__", "__next__", "__getitem__"}) {
        if (auto* function = as<Function>(find_in_class(*object->klass, name))) {
          const Ref result =
              name == "__getitem__"
                  ? m.call(bind_method(m, *function, object),
                           std::vector<Ref>{m.number(Interval::top(), true)},
                           span)
                  : m.call(bind_method(m, *function, object), std::vector<Ref>{}, span);
          return name == "__iter__" && result != iterable ? m.iterate(result, span) : result;
        }
      }
    }
    if (object->api != nullptr) {
      if (const Api* row = find_method(*object->api, "__iter__")) {
        return m.call_row(*row, object, {}, span);
      }
    }
    Ref one = nullptr;
    for (const Ref held : object->items) {
      one = one == nullptr ? held : m.join(one, held);
    }
    return one != nullptr ? one : m.unknown();
  }
  default:
    return m.unknown();
  }
}

} // namespace faultline::program
