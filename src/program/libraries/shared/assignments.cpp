// `x[i] = value` and `del x[i]` on arrays. An array is one value to the interpreter, whoever holds
// it, so what is known of it only ever shrinks here: that is right on every path.

#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

// y = zeros((n, k)); y[arange(n), labels] = 1
static bool makes_one_hot(const Machine& m, const Tensor& target, Ref index, Ref value)
{
  const auto* places = as<Sequence>(index);
  if (target.shape.rank() != 2 || target.interval.value() != 0.0 || m.to_double(value) != 1.0 ||
      places == nullptr || places->items.size() != 2) {
    return false;
  }
  const auto* columns = as<Tensor>(places->items[1]);
  return columns != nullptr && columns->encoding == Encoding::class_index;
}

static Ref set_item(Machine& m, Call& call)
{
  auto* const target = as<Tensor>(call.arg("a"));
  const Ref index = take(m, call, "index");
  const Ref value = take(m, call, "value");
  if (target == nullptr) {
    return m.none();
  }
  if (target->library == Library::pandas) {
    // A new column, or an old one overwritten.
    forget_columns(*target);
    return m.none();
  }
  if (makes_one_hot(m, *target, index, value)) {
    target->encoding = Encoding::one_hot;
    target->classes = target->shape.at(1).constant().value_or(0);
  } else if (target->encoding != Encoding::image && target->encoding != Encoding::one_hot) {
    target->encoding = Encoding::unknown;
  }
  const auto* const tensor = as<Tensor>(value);
  if (tensor != nullptr && tensor->requires_grad == Truth::yes) {
    target->requires_grad = Truth::yes;
  }
  overwrite(*target, tensor != nullptr ? tensor->interval : to_array(m, value).interval);
  return m.none();
}

static constexpr Api k_rows[] = {
    {"operator.setitem", "a, index, value", Role::function, {}, k_in_place, set_item},
    {"operator.delitem", "a, index", Role::function, {}, k_in_place},
};

std::span<const Api> assignments()
{
  return k_rows;
}

} // namespace faultline::program
