// Functions that make tensors: constants, random numbers, variables, placeholders.

#include "program/libraries/keras/keras.hpp"
#include "program/libraries/tensorflow/tf.hpp"

namespace faultline::program::tf {

namespace {

DType dtype_option(Machine& machine, const Call& call, DType fallback)
{
  const Ref wanted = call.arg("dtype");
  if (wanted == nullptr || machine.is_none(wanted)) {
    return call.name.starts_with("keras.") ? DType(DType::Kind::float32) : fallback;
  }
  return to_dtype(machine, wanted).value_or(DType());
}

double number_option(Machine& machine, const Call& call, std::string_view name, double fallback)
{
  const Ref value = call.arg(name);
  return value != nullptr ? machine.to_double(value).value_or(fallback) : fallback;
}

// Six deviations: beyond that a sample is not to be expected.
Interval random_interval(Machine& machine, const Call& call)
{
  if (call.is("random_normal") || call.is("truncated_normal")) {
    const double mean = number_option(machine, call, "mean", 0);
    const double spread = number_option(machine, call, "stddev", 1);
    const double reach = (call.is("truncated_normal") ? 2 : 6) * (spread < 0 ? -spread : spread);
    return Interval::of(mean - reach, mean + reach);
  }
  const Ref low = call.arg("minval");
  const Ref high = call.arg("maxval");
  const Interval from = low != nullptr ? machine.to_interval(low) : Interval::point(0);
  const Interval to =
      high != nullptr && !machine.is_none(high) ? machine.to_interval(high) : Interval::point(1);
  if (!from.is_known() || !to.is_known()) {
    return Interval::top();
  }
  return from.low() <= to.high() ? Interval::of(from.low(), to.high()) : Interval::top();
}

Interval filled_interval(Machine& machine, const Call& call)
{
  if (call.is("zeros")) {
    return Interval::point(0);
  }
  if (call.is("ones")) {
    return Interval::point(1);
  }
  if (call.is("eye")) {
    return Interval::of(0, 1);
  }
  if (call.is("full")) {
    const Ref value = argument(call, 1);
    return value != nullptr ? machine.to_interval(value) : Interval::top();
  }
  return random_interval(machine, call);
}

// Python's numbers become 32 bits wide, arrays keep their type.
DType converted(const Tensor& value, Ref written)
{
  const bool literal = written != nullptr && as<Tensor>(written) == nullptr;
  if (literal && value.dtype == DType(DType::Kind::int64)) {
    return DType::Kind::int32;
  }
  if (literal && value.dtype == DType(DType::Kind::float64)) {
    return DType::Kind::float32;
  }
  return value.dtype;
}

} // namespace

Ref first_argument(Machine& machine, Call& call)
{
  const Ref first = argument(call, 0);
  return first != nullptr ? first : machine.unknown();
}

Ref text(Machine& machine, Call& call)
{
  return result(machine, call, Shape::scalar(), DType::Kind::string);
}

Ref operation(Machine& machine, Call& call)
{
  return machine.instance(*find_api("tensorflow.Operation"), &call);
}

Ref nothing(Machine& machine, Call& call)
{
  static_cast<void>(call);
  return machine.none();
}

Ref filled(Machine& machine, Call& call)
{
  const Shape shape = shape_of(machine, argument(call, 0));
  DType fallback = DType::Kind::float32;
  if (call.is("full") && argument(call, 1) != nullptr) {
    const Tensor* value = operand(machine, argument(call, 1));
    fallback = converted(*value, argument(call, 1));
  }
  Tensor* made = result(
      machine, call, shape, dtype_option(machine, call, fallback), filled_interval(machine, call));
  made->library = Library::tensorflow;
  made->requires_grad = Truth::no;
  return made;
}

Ref like(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  Tensor* made = result(machine,
                        call,
                        x->shape,
                        dtype_option(machine, call, x->dtype),
                        filled_interval(machine, call));
  made->requires_grad = Truth::no;
  return made;
}

Ref constant(Machine& machine, Call& call)
{
  const Ref value = argument(call, 0);
  const Tensor* x = operand(machine, value);
  Tensor* made = moved(machine, call, *x, x->shape);
  made->dtype = dtype_option(machine, call, converted(*x, value));
  made->library = Library::tensorflow;
  if (x->library != Library::tensorflow && x->library != Library::keras) {
    made->requires_grad = Truth::no;
  }
  const Ref shape = call.arg("shape");
  if (shape != nullptr && !machine.is_none(shape)) {
    made->shape = shape_of(machine, shape);
    made->literal = nullptr;
  }
  return made;
}

Ref variable(Machine& machine, Call& call)
{
  const Ref initial = option(call, {"initial_value", "value"});
  const bool trainable = machine.truthiness(call.arg("trainable")).value_or(true);
  Shape shape = Shape::top();
  DType dtype;
  Interval interval = Interval::top();
  if (initial != nullptr && !machine.is_none(initial)) {
    Ref value = initial;
    if (value->kind == Kind::function || value->kind == Kind::bound) {
      value = machine.call(value, std::vector<Ref>{}, call.span); // a thunk that makes it
    }
    const Tensor* x = operand(machine, value);
    shape = x->shape;
    dtype = converted(*x, value);
    interval = x->interval;
  }
  const Ref given_shape = call.arg("shape");
  if (given_shape != nullptr && !machine.is_none(given_shape)) {
    shape = shape_of(machine, given_shape);
  }
  dtype = dtype_option(machine, call, dtype);
  const bool learns = trainable && (dtype.is_floating() || dtype.is_unknown());
  // Training moves it anywhere; a counter is changed by the program.
  Tensor* made = result(machine, call, shape, dtype, learns ? Interval::reals() : Interval::top());
  made->library = Library::tensorflow;
  made->requires_grad = learns ? Truth::yes : Truth::no;
  made->leaf = Truth::yes;
  return made;
}

Ref placeholder(Machine& machine, Call& call)
{
  const Ref sizes = call.arg("shape");
  Shape shape =
      sizes != nullptr && !machine.is_none(sizes) ? shape_of(machine, sizes, true) : Shape::top();
  if (const Ref input = call.arg("input"); input != nullptr && shape == Shape::top()) {
    shape = operand(machine, input)->shape; // placeholder_with_default
  }
  Tensor* made = result(machine, call, shape, dtype_option(machine, call, DType::Kind::float32));
  made->library = Library::tensorflow;
  made->requires_grad = Truth::no;
  return made;
}

Ref shape(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  Shape extent = Shape::of_rank(1);
  Ref literal = nullptr;
  if (x->shape.has_rank()) {
    std::vector<Ref> sizes;
    for (const Dim& dim : x->shape.dims()) {
      sizes.push_back(machine.integer(dim));
    }
    extent = Shape::of({Dim::constant(static_cast<int64_t>(sizes.size()))});
    literal = machine.list(std::move(sizes));
  }
  Tensor* made =
      result(machine, call, extent, DType::Kind::int32, Interval::of(0, Interval::k_inf));
  made->library = Library::tensorflow;
  made->literal = literal;
  made->requires_grad = Truth::no;
  return made;
}

Ref gradients(Machine& machine, Call& call)
{
  const Ref sources = option(call, {"xs", "sources", "var_list", "variables", "target"});
  const auto one = [&](Ref source) -> Ref {
    const Tensor* x = operand(machine, source);
    Tensor* made = result(machine, call, x->shape, x->dtype);
    made->requires_grad = Truth::unknown;
    return made;
  };
  if (const auto* list = as<Sequence>(sources)) {
    std::vector<Ref> items;
    for (const Ref item : list->items) {
      items.push_back(one(item));
    }
    Sequence* made = machine.list(std::move(items));
    made->open = list->open;
    made->rest = list->open ? machine.unknown() : nullptr;
    return made;
  }
  if (as<Tensor>(sources) != nullptr) {
    return one(sources);
  }
  return machine.open_list(machine.unknown());
}

} // namespace faultline::program::tf
