// Element-wise functions, comparisons, reductions and products, by the op of their row.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/shared/operators.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/operations/intervals.hpp"

namespace faultline::program::tf {

namespace {

bool is_number(Ref value)
{
  return value != nullptr && (value->kind == Kind::constant || value->kind == Kind::number);
}

// Python's numbers take the type of the tensor that they meet.
DType common_dtype(Ref left, const Tensor& a, Ref right, const Tensor& b)
{
  if (is_number(left) != is_number(right)) {
    return is_number(left) ? b.dtype : a.dtype;
  }
  if (a.library == Library::numpy && b.library != Library::numpy) {
    return b.dtype;
  }
  if (b.library == Library::numpy && a.library != Library::numpy) {
    return a.dtype;
  }
  return a.dtype == b.dtype ? a.dtype : DType();
}

double slope_of(Machine& machine, const Call& call)
{
  for (const std::string_view name : {"negative_slope", "alpha"}) {
    if (const auto slope = machine.to_double(call.setting_value(name))) {
      return *slope;
    }
  }
  return 0.2;
}

Interval activated(Machine& machine, const Call& call, const Tensor& x, int64_t axis)
{
  const std::string_view op = call.op();
  if (op == "softmax") {
    return softmax_interval(x.interval, x.shape.at(axis));
  }
  if (op == "log_softmax") {
    return log_softmax_interval(x.interval, x.shape.at(axis));
  }
  if (op == "leaky_relu") {
    return leaky_relu_interval(x.interval, slope_of(machine, call));
  }
  const Interval plain = interval_after(op, x.interval);
  if (op == "relu") {
    const Ref most = call.setting_value("max_value");
    const auto cap = most != nullptr ? machine.to_double(most) : std::nullopt;
    return cap ? plain.clipped(std::nullopt, *cap) : plain;
  }
  return plain;
}

bool flag(Machine& machine, const Call& call, std::initializer_list<std::string_view> names)
{
  const Ref value = option(call, names);
  return value != nullptr && machine.truthiness(value).value_or(false);
}

// How many elements each result sums up.
Dim reduced_count(const Shape& shape, const std::optional<std::vector<int64_t>>& over)
{
  if (!over) {
    return shape.elements();
  }
  Dim count = Dim::constant(1);
  for (const int64_t axis : *over) {
    count = count.times(shape.at(axis));
  }
  return count;
}

} // namespace

Ref same(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  Tensor* made = moved(machine, call, *x, x->shape);
  return keras::end_plain(machine, call, made);
}

Ref unary(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  return result(machine, call, x->shape, x->dtype, interval_after(call.op(), x->interval));
}

Ref activation(Machine& machine, Call& call)
{
  if (call.layer != nullptr) {
    keras::begin(machine, call);
  }
  const Tensor* x = operand(machine, argument(call, 0));
  const bool along_axis = call.is("softmax") || call.is("log_softmax");
  int64_t axis = -1;
  if (along_axis) {
    for (const std::string_view name : {"axis", "dim"}) {
      const Argument* written = call.setting(name);
      const auto known = written != nullptr ? machine.to_int(written->value) : std::nullopt;
      if (known && (written->given || name == "axis")) {
        axis = *known;
      }
    }
    if (auto wrong = axis_out_of_range(x->shape, axis, call.op())) {
      checked(machine, call, *std::move(wrong), keras::place(call, "axis"));
    }
  }
  const DType dtype =
      x->dtype.is_floating() || x->dtype.is_unknown() ? x->dtype : DType(DType::Kind::float32);
  Tensor* made = result(machine, call, x->shape, dtype, activated(machine, call, *x, axis));
  if (call.is("softmax") || call.is("sigmoid")) {
    made->encoding = Encoding::probability;
  } else if (call.is("log_softmax") || call.is("log_sigmoid")) {
    made->encoding = Encoding::log_probability;
  }
  if (call.has(k_learning)) {
    made->requires_grad = Truth::yes;
  }
  return keras::end_plain(machine, call, made);
}

Ref binary(Machine& machine, Call& call)
{
  const Ref a = argument(call, 0) != nullptr ? argument(call, 0) : machine.unknown();
  const Ref b = argument(call, 1) != nullptr ? argument(call, 1) : machine.unknown();
  const bool squared = call.is("squared_difference");
  const std::string_view op = squared ? "sub" : call.is("div_no_nan") ? "div" : call.op();
  Tensor* made = binary_operation(machine, call, op, a, b);
  if (made->library != Library::keras) {
    made->library = Library::tensorflow;
  }
  if (squared) {
    made->interval = made->interval.square();
  }
  return made;
}

Ref comparison(Machine& machine, Call& call)
{
  const Ref left = argument(call, 0) != nullptr ? argument(call, 0) : machine.unknown();
  const Ref right = argument(call, 1);
  Tensor* made = nullptr;
  if (right == nullptr || call.is("logical_not") || call.is("is_nan")) {
    const Tensor* x = operand(machine, left);
    made = result(machine, call, x->shape, DType::Kind::boolean, Interval::of(0, 1));
    made->encoding = Encoding::mask;
    made->requires_grad = Truth::no;
  } else {
    expect_same_dtype(machine, call, *operand(machine, left), *operand(machine, right));
    made = program::comparison(machine, call, left, right);
  }
  if (made->library != Library::keras) {
    made->library = Library::tensorflow;
  }
  return made;
}

Ref reduction(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Ref along = option(call, {"axis", "reduction_indices", "axes", "dim"});
  const bool all = along == nullptr || machine.is_none(along);
  const auto over = axes(machine, along);
  const bool keep = flag(machine, call, {"keepdims", "keep_dims"});
  const std::string_view op = call.op();
  const DType dtype =
      op == "reduce_any" || op == "reduce_all" ? DType(DType::Kind::boolean) : x->dtype;
  if (!all && !over) {
    return result(machine, call, Shape::top(), dtype);
  }
  const Shape shape = checked(machine, call, reduced(x->shape, over, keep), call.span);
  Tensor* made = result(machine,
                        call,
                        shape,
                        dtype,
                        interval_reduced(op, x->interval, reduced_count(x->shape, over)));
  if (call.has(k_no_gradient)) {
    made->requires_grad = Truth::no;
  }
  return made;
}

Ref arg_reduction(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Ref along = option(call, {"axis", "dimension", "dim"});
  std::optional<int64_t> axis = along != nullptr ? machine.to_int(along) : std::nullopt;
  if (along == nullptr || machine.is_none(along)) {
    axis = call.name.starts_with("keras.") ? -1 : 0;
  }
  const Ref type = call.arg("output_type");
  const DType dtype =
      type != nullptr ? to_dtype(machine, type).value_or(DType()) : DType(DType::Kind::int64);
  const Shape shape =
      axis
          ? checked(machine, call, reduced(x->shape, std::vector<int64_t>{*axis}, false), call.span)
          : Shape::top();
  const Dim classes = axis ? x->shape.at(*axis) : Dim::top();
  Tensor* made =
      result(machine, call, shape, dtype, interval_reduced(call.op(), x->interval, classes));
  made->requires_grad = Truth::no;
  made->encoding = Encoding::class_index;
  made->classes = classes.constant().value_or(0);
  made->source = x->source;
  return made;
}

Ref matmul(Machine& machine, Call& call)
{
  const Tensor* a = operand(machine, argument(call, 0));
  const Tensor* b = operand(machine, argument(call, 1));
  expect_same_dtype(machine, call, *a, *b);
  const auto turned = [&](const Tensor& x, std::initializer_list<std::string_view> names) {
    return flag(machine, call, names) ? transposed(x.shape, -1, -2).shape : x.shape;
  };
  Shape shape = Shape::top();
  bool matrices = true;
  size_t n = 0;
  for (const Tensor* x : {a, b}) {
    if (const auto rank = x->shape.rank();
        rank && *rank < 2 && !call.name.starts_with("keras.ops")) {
      machine.problem(ProblemKind::rank,
                      argument_span(call, n),
                      format("`{}` takes matrices, but gets shape {}",
                             keras::short_name(call),
                             x->shape.text()),
                      &call);
      matrices = false;
    }
    ++n;
  }
  if (matrices) {
    shape = checked(machine,
                    call,
                    matrix_product(turned(*a, {"transpose_a", "adjoint_a", "adj_x"}),
                                   turned(*b, {"transpose_b", "adjoint_b", "adj_y"})),
                    call.span);
  }
  const bool learns = a->requires_grad == Truth::yes || b->requires_grad == Truth::yes;
  const Interval interval =
      learns ? Interval::reals() : product_interval(a->interval, b->interval, a->shape.at(-1));
  return result(machine,
                call,
                std::move(shape),
                common_dtype(argument(call, 0), *a, argument(call, 1), *b),
                interval);
}

Ref clip(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Interval low = machine.to_interval(argument(call, 1));
  const Interval high = machine.to_interval(argument(call, 2));
  Tensor* made =
      result(machine, call, x->shape, x->dtype, x->interval.clipped(low.value(), high.value()));
  made->encoding = x->encoding;
  return made;
}

Ref where(Machine& machine, Call& call)
{
  const Tensor* condition = operand(machine, argument(call, 0));
  const Ref then = argument(call, 1);
  const Ref otherwise = argument(call, 2);
  if (then == nullptr || machine.is_none(then) || otherwise == nullptr ||
      machine.is_none(otherwise)) {
    const auto rank = condition->shape.rank();
    return result(machine,
                  call,
                  Shape::of({machine.fresh_symbol(),
                             rank ? Dim::constant(static_cast<int64_t>(*rank)) : Dim::top()}),
                  DType::Kind::int64,
                  Interval::of(0, Interval::k_inf));
  }
  const Tensor* a = operand(machine, then);
  const Tensor* b = operand(machine, otherwise);
  expect_same_dtype(machine, call, *a, *b);
  const Shape values = checked(machine, call, combined(a->shape, b->shape).result, call.span);
  // TensorFlow 1 lets a vector condition choose whole rows, so only the values decide here.
  const Shape shape = condition->shape.rank() == values.rank()
                          ? combined(values, condition->shape).result.shape
                          : values;
  return result(machine,
                call,
                shape,
                common_dtype(then, *a, otherwise, *b),
                joined(a->interval, b->interval));
}

} // namespace faultline::program::tf
