#include "program/libraries/shared/operators.hpp"

#include "base/format.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"
#include "program/operations/relations.hpp"
#include "program/operations/shapes.hpp"

#include <algorithm>

namespace faultline::program {

namespace {

bool is_torch(const Tensor& tensor)
{
  return tensor.library == Library::torch;
}

bool is_whole(DType dtype)
{
  return dtype.is_integer() || dtype == DType(DType::Kind::boolean);
}

bool is_graph(const Tensor& tensor)
{
  return tensor.library == Library::tensorflow || tensor.library == Library::keras;
}

// torch promotes within a category (bool, integer, floating) first; Python numbers and scalars do
// not widen a tensor of the same category.
DType torch_dtype(Ref a, Ref b, const Tensor& x, const Tensor& y)
{
  const auto weak = [](Ref value, const Tensor& tensor) {
    return is_number(value) || tensor.shape.rank() == 0;
  };
  if (x.dtype.is_unknown() || y.dtype.is_unknown()) {
    // A Python number leaves a floating tensor as it is, whatever it is.
    return {};
  }
  if (weak(a, x) != weak(b, y)) {
    const DType strong = weak(a, x) ? y.dtype : x.dtype;
    const DType other = weak(a, x) ? x.dtype : y.dtype;
    if (strong.is_floating() || (strong.is_integer() && !other.is_floating())) {
      return strong;
    }
    return other.is_floating() ? DType(DType::Kind::float32) : DType::promoted(strong, other);
  }
  if (x.dtype.is_floating() != y.dtype.is_floating()) {
    return x.dtype.is_floating() ? x.dtype : y.dtype;
  }
  return DType::promoted(x.dtype, y.dtype);
}

DType result_dtype(std::string_view op, Ref a, Ref b, const Tensor& x, const Tensor& y)
{
  DType dtype;
  if (is_torch(x) || is_torch(y)) {
    dtype = torch_dtype(a, b, x, y);
    if (op == "div" && is_whole(dtype)) {
      dtype = DType::Kind::float32;
    }
  } else if (is_graph(x) || is_graph(y)) {
    // What is not a tensor takes the type of the other operand.
    dtype = is_graph(x) ? x.dtype : y.dtype;
    if (op == "div" && dtype.is_integer()) {
      dtype = DType::Kind::float64;
    }
  } else {
    dtype = arithmetic_dtype(a, b);
    if (op == "div") {
      dtype = as_floating(dtype);
    }
  }
  return dtype;
}

Interval result_interval(std::string_view op, const Tensor& x, const Tensor& y)
{
  const bool same = &x == &y;
  if (same && op == "mul") {
    return x.interval.square();
  }
  if (same && op == "sub") {
    return Interval::point(0);
  }
  const Interval plain = interval_after(op, x.interval, y.interval);
  if (op == "sub" && is_reduction_of(&y, &x, "reduce_max")) {
    return plain.clipped(std::nullopt, 0);
  }
  if (op == "sub" && is_reduction_of(&y, &x, "reduce_min")) {
    return plain.clipped(0, std::nullopt);
  }
  if (op == "div" && is_reduction_of(&y, &x, "reduce_sum") && x.interval.is_known() &&
      x.interval.low() >= 0) {
    return Interval::of(0, 1);
  }
  if (op == "div" && is_reduction_of(&y, &x, "norm")) {
    return Interval::of(-1, 1);
  }
  return plain;
}

void check_types(Machine& machine, Call& call, const Tensor& x, const Tensor& y)
{
  if (is_graph(x) && is_graph(y) && x.dtype.is_numeric() && y.dtype.is_numeric() &&
      x.dtype != y.dtype) {
    machine
        .problem(ProblemKind::dtype_mix,
                 call.span,
                 format("{} and {} meet in one operation", x.dtype.text(), y.dtype.text()),
                 &call)
        .help = "TensorFlow converts neither: use `tf.cast`";
  }
  for (const Tensor* one : {&x, &y}) {
    if (one->dtype == DType(DType::Kind::string) && one->library != Library::pandas &&
        call.op() != "add" && call.op() != "mod" && call.op() != "mul") {
      machine.problem(
          ProblemKind::object_dtype, call.span, "arithmetic on an array of strings", &call);
      return;
    }
  }
}

void check_devices(Machine& machine, Call& call, const Tensor& x, const Tensor& y)
{
  if (is_torch(x) && is_torch(y) && devices_clash(x, y) && !defaults_changed(machine)) {
    machine.problem(ProblemKind::device,
                    call.span,
                    format("a tensor on {} meets one on {}", x.device.text(), y.device.text()),
                    &call);
  }
}

// (N, 1) against (N,) gives (N, N), which nobody wants unless an axis was added for it.
void check_growth(Machine& machine, Call& call, const Tensor& x, const Tensor& y)
{
  const auto is_column = [](const Tensor& column, const Tensor& vector) {
    return column.shape.rank() == 2 && vector.shape.rank() == 1 && column.shape.at(1).is(1) &&
           !vector.shape.at(0).is(1) &&
           column.shape.at(0).compare(vector.shape.at(0)) == Dim::Comparison::equal;
  };
  if (!is_column(x, y) && !is_column(y, x)) {
    return;
  }
  const Tensor& column = is_column(x, y) ? x : y;
  const std::string_view made_by =
      column.producer != nullptr ? column.producer->op() : std::string_view();
  constexpr std::string_view k_deliberate[] = {"expand_dims", "reshape", "slice", "permute"};
  if (std::ranges::find(k_deliberate, made_by) != std::end(k_deliberate)) {
    return;
  }
  machine
      .problem(ProblemKind::both_grow,
               call.span,
               format("{} and {} are broadcast to a matrix", x.shape.text(), y.shape.text()),
               &call)
      .help = "give both the same shape";
}

Shape checked_shape(Machine& machine, Call& call, const Tensor& x, const Tensor& y)
{
  Combined both = combined(x.shape, y.shape);
  if (both.result.wrong) {
    const bool maps = x.shape.rank() == y.shape.rank() && *x.shape.rank() >= 3;
    if (maps && (is_resized(&x) || is_resized(&y))) {
      both.result.wrong->kind = ProblemKind::skip_size;
    }
    return settle(machine, call, both.result, call.span);
  }
  if (both.both_grow) {
    check_growth(machine, call, x, y);
  }
  // A number that becomes a tensor is no change in place: those have a literal.
  if (call.has(k_in_place) && x.literal == nullptr &&
      (is_torch(x) || x.library == Library::numpy) &&
      x.shape.compare(both.result.shape) == Dim::Comparison::different && x.shape.has_rank()) {
    machine.problem(ProblemKind::broadcast,
                    call.span,
                    format("{} cannot hold the result of shape {} in place",
                           x.shape.text(),
                           both.result.shape.text()),
                    &call);
    return x.shape;
  }
  return both.result.shape;
}

// What data are and where they come from outlives scaling.
void keep_meaning(Tensor& made, const Tensor& input)
{
  constexpr Encoding k_scalable[] = {
      Encoding::image, Encoding::class_index, Encoding::token, Encoding::real};
  made.source = input.source;
  if (std::ranges::find(k_scalable, input.encoding) != std::end(k_scalable)) {
    made.encoding = input.encoding;
    made.classes = input.classes;
  }
}

Tensor& nothing_known(Machine& machine)
{
  return *machine.data(Library::other, Shape::top(), {}, Interval::top());
}

Tensor& as_tensor(Machine& machine, Ref value)
{
  Tensor* tensor = machine.to_tensor(value);
  return tensor != nullptr ? *tensor : nothing_known(machine);
}

} // namespace

bool devices_clash(const Tensor& a, const Tensor& b)
{
  const auto is_array = [](const Tensor& tensor) {
    return tensor.shape.has_rank() && *tensor.shape.rank() > 0;
  };
  if (!is_array(a) || !is_array(b)) {
    return false;
  }
  // What is chosen at run time is a GPU where there is one.
  const auto mixed = [](const Device& x, const Device& y) {
    return x.kind() == Device::Kind::chosen && y.kind() == Device::Kind::cpu;
  };
  return a.device.clashes_with(b.device) || mixed(a.device, b.device) || mixed(b.device, a.device);
}

bool defaults_changed(Machine& machine)
{
  return std::ranges::any_of(machine.program().calls(), [](const Call& call) {
    return call.name.starts_with("torch.set_default_");
  });
}

Tensor* binary_operation(Machine& machine, Call& call, std::string_view op, Ref a, Ref b)
{
  Tensor& x = as_tensor(machine, a);
  Tensor& y = as_tensor(machine, b);
  check_types(machine, call, x, y);
  check_devices(machine, call, x, y);
  const DType dtype = result_dtype(op, a, b, x, y);
  Tensor* made =
      machine.tensor(call, checked_shape(machine, call, x, y), dtype, result_interval(op, x, y));
  made->device = x.device == Device::top() || is_number(a) ? y.device : x.device;
  made->contiguous = is_number(a) ? y.contiguous : x.contiguous;
  if (is_number(a) != is_number(b)) {
    keep_meaning(*made, is_number(a) ? y : x);
  }
  if (made->library == Library::numpy || made->library == Library::pandas) {
    made->interval = check_wrapping(machine, call, dtype, made->interval);
  }
  return made;
}

Tensor* comparison(Machine& machine, Call& call, Ref a, Ref b)
{
  Tensor& x = as_tensor(machine, a);
  Tensor& y = as_tensor(machine, b);
  check_devices(machine, call, x, y);
  Tensor* made = machine.tensor(
      call, checked_shape(machine, call, x, y), DType::Kind::boolean, Interval::of(0, 1));
  made->requires_grad = Truth::no;
  made->encoding = Encoding::mask;
  return made;
}

Tensor* unary_operation(Machine& machine, Call& call, std::string_view op, const Tensor& input)
{
  constexpr std::string_view k_whole[] = {
      "neg", "abs", "square", "sign", "floor", "ceil", "round", "relu", "relu6", "identity"};
  DType dtype = input.dtype;
  if (std::ranges::find(k_whole, op) == std::end(k_whole) && is_whole(dtype)) {
    dtype = is_torch(input) ? DType(DType::Kind::float32) : as_floating(dtype);
  }
  Tensor* made = machine.tensor(call, input.shape, dtype, interval_after(op, input.interval));
  made->library = input.library;
  made->device = input.device;
  made->contiguous = input.contiguous;
  made->source = input.source;
  return made;
}

Tensor* product_operation(Machine& machine, Call& call, Ref a, Ref b)
{
  Tensor& x = as_tensor(machine, a);
  Tensor& y = as_tensor(machine, b);
  check_types(machine, call, x, y);
  check_devices(machine, call, x, y);
  const Shape shape = settle(machine, call, matrix_product(x.shape, y.shape), call.span);
  const Interval interval = product_interval(x.interval, y.interval, x.shape.at(-1));
  Tensor* made = machine.tensor(call, shape, result_dtype("matmul", a, b, x, y), interval);
  made->contiguous = Truth::yes;
  return made;
}

static Ref binary(Machine& machine, Call& call)
{
  return binary_operation(machine, call, call.op(), call.arg("a"), call.arg("b"));
}

static Ref compare(Machine& machine, Call& call)
{
  return comparison(machine, call, call.arg("a"), call.arg("b"));
}

static Ref multiply_matrices(Machine& machine, Call& call)
{
  return product_operation(machine, call, call.arg("a"), call.arg("b"));
}

static Ref logical(Machine& machine, Call& call)
{
  Tensor& x = as_tensor(machine, call.arg("a"));
  Tensor& y = as_tensor(machine, call.arg("b"));
  Tensor* made =
      machine.tensor(call,
                     checked_shape(machine, call, x, y),
                     x.dtype == y.dtype ? x.dtype : DType(),
                     x.dtype == DType(DType::Kind::boolean) ? Interval::of(0, 1) : Interval::top());
  made->requires_grad = Truth::no;
  made->encoding = x.encoding == y.encoding ? x.encoding : Encoding::unknown;
  return made;
}

static Ref negate(Machine& machine, Call& call)
{
  return unary_operation(machine, call, "neg", as_tensor(machine, call.arg("a")));
}

static Ref invert(Machine& machine, Call& call)
{
  return machine.like(call, as_tensor(machine, call.arg("a")));
}

std::span<const Api> operators()
{
  constexpr uint32_t k_arithmetic = k_elementwise | k_numeric_only;
  constexpr uint32_t k_changing = k_arithmetic | k_in_place;
  constexpr uint32_t k_deciding = k_elementwise | k_no_gradient;
  constexpr Role f = Role::function;
  static constexpr Api k_rows[] = {
      {"operator.add", "a, b", f, "add", k_elementwise, binary},
      {"operator.sub", "a, b", f, "sub", k_arithmetic, binary},
      {"operator.mul", "a, b", f, "mul", k_arithmetic, binary},
      {"operator.truediv", "a, b", f, "div", k_arithmetic, binary},
      {"operator.floordiv", "a, b", f, "floor_div", k_arithmetic, binary},
      {"operator.mod", "a, b", f, "mod", k_elementwise, binary},
      {"operator.pow", "a, b", f, "pow", k_arithmetic, binary},
      {"operator.matmul", "a, b", f, "matmul", k_numeric_only, multiply_matrices},
      {"operator.neg", "a", f, "neg", k_arithmetic, negate},
      {"operator.iadd", "a, b", f, "add", k_changing, binary},
      {"operator.isub", "a, b", f, "sub", k_changing, binary},
      {"operator.imul", "a, b", f, "mul", k_changing, binary},
      {"operator.itruediv", "a, b", f, "div", k_changing, binary},
      {"operator.ifloordiv", "a, b", f, "floor_div", k_changing, binary},
      {"operator.imod", "a, b", f, "mod", k_changing, binary},
      {"operator.ipow", "a, b", f, "pow", k_changing, binary},
      {"operator.imatmul", "a, b", f, "matmul", k_in_place, multiply_matrices},
      {"operator.eq", "a, b", f, "equal", k_deciding, compare},
      {"operator.ne", "a, b", f, "not_equal", k_deciding, compare},
      {"operator.lt", "a, b", f, "less", k_deciding, compare},
      {"operator.le", "a, b", f, "less_equal", k_deciding, compare},
      {"operator.gt", "a, b", f, "greater", k_deciding, compare},
      {"operator.ge", "a, b", f, "greater_equal", k_deciding, compare},
      {"operator.and", "a, b", f, "logical_and", k_deciding, logical},
      {"operator.or", "a, b", f, "logical_or", k_deciding, logical},
      {"operator.xor", "a, b", f, "logical_xor", k_deciding, logical},
      {"operator.iand", "a, b", f, "logical_and", k_deciding | k_in_place, logical},
      {"operator.ior", "a, b", f, "logical_or", k_deciding | k_in_place, logical},
      {"operator.ixor", "a, b", f, "logical_xor", k_deciding | k_in_place, logical},
      {"operator.lshift", "a, b", f, {}, k_deciding, logical},
      {"operator.rshift", "a, b", f, {}, k_deciding, logical},
      {"operator.invert", "a", f, "logical_not", k_deciding, invert},
      {"operator.getitem", "a, index", f, "slice", k_reshaping},
  };
  return k_rows;
}

} // namespace faultline::program
