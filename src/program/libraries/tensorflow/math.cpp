// tf.* and tf.math.*: arithmetic, comparisons, reductions, linear algebra. Names of TensorFlow 0.x
// are here too.

#include "base/format.hpp"
#include "program/libraries/tensorflow/rows.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"

namespace faultline::program {

namespace {

using tf::argument;
using tf::operand;
using tf::result;

Ref add_n(Machine& machine, Call& call)
{
  const std::vector<Tensor*> parts = tf::operands(machine, argument(call, 0));
  if (parts.empty()) {
    return result(machine, call, Shape::top());
  }
  Shape shape = parts.front()->shape;
  Interval interval = parts.front()->interval;
  for (size_t i = 1; i < parts.size(); ++i) {
    if (shape.compare(parts[i]->shape) == Dim::Comparison::different) {
      machine.problem(ProblemKind::broadcast,
                      call.span,
                      format("{} and {} cannot be added", shape.text(), parts[i]->shape.text()),
                      &call);
      return result(machine, call, Shape::top(), parts.front()->dtype);
    }
    shape = better_known(shape, parts[i]->shape);
    interval = interval.plus(parts[i]->interval);
  }
  return result(machine, call, shape, parts.front()->dtype, interval);
}

Ref tensordot(Machine& machine, Call& call)
{
  const Tensor* a = operand(machine, argument(call, 0));
  const Tensor* b = operand(machine, argument(call, 1));
  const Ref axes = argument(call, 2);
  Shape shape = Shape::top();
  const auto count =
      axes != nullptr && axes->kind == Kind::constant ? machine.to_int(axes) : std::nullopt;
  const auto rank = a->shape.rank();
  if (count && *count >= 0 && rank && static_cast<size_t>(*count) <= *rank) {
    std::vector<int64_t> left;
    std::vector<int64_t> right;
    for (int64_t i = 0; i < *count; ++i) {
      left.push_back(static_cast<int64_t>(*rank) - *count + i);
      right.push_back(i);
    }
    shape = tf::checked(machine, call, tensor_product(a->shape, b->shape, left, right), call.span);
  } else if (const auto* pair = as<Sequence>(axes); pair != nullptr && pair->items.size() == 2) {
    const auto left = tf::axes(machine, pair->items[0]);
    const auto right = tf::axes(machine, pair->items[1]);
    if (left && right) {
      shape =
          tf::checked(machine, call, tensor_product(a->shape, b->shape, *left, *right), call.span);
    }
  }
  const bool learns = a->requires_grad == Truth::yes || b->requires_grad == Truth::yes;
  return result(machine, call, shape, a->dtype, learns ? Interval::reals() : Interval::top());
}

Ref einsum_of(Machine& machine, Call& call)
{
  const auto equation = machine.to_string(call.arg("equation"));
  std::vector<Shape> shapes;
  bool learns = false;
  DType dtype;
  for (const Argument& argument : call.surplus) {
    if (argument.name.empty()) {
      const Tensor* tensor = operand(machine, argument.value);
      shapes.push_back(tensor->shape);
      learns = learns || tensor->requires_grad == Truth::yes;
      dtype = tensor->dtype;
    }
  }
  const Shape shape =
      equation ? tf::checked(machine, call, einsum(*equation, shapes), call.span) : Shape::top();
  return result(machine, call, shape, dtype, learns ? Interval::reals() : Interval::top());
}

Ref square_matrix(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  if (auto wrong = not_square(x->shape, call.op())) {
    tf::checked(machine, call, *std::move(wrong), call.span);
  }
  const bool scalar = call.is("det") || call.is("logdet");
  Shape shape = x->shape;
  if (scalar) {
    shape = x->shape.rank() >= 2
                ? x->shape.without(*x->shape.rank() - 1).without(*x->shape.rank() - 2)
                : Shape::top();
  }
  return result(machine, call, shape, x->dtype);
}

Ref solve(Machine& machine, Call& call)
{
  const Tensor* right = operand(machine, argument(call, 1));
  return result(machine, call, right->shape, right->dtype);
}

Ref top_k(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Shape shape = x->shape.with(-1, machine.to_dim(call.arg("k")));
  Tensor* values = result(machine, call, shape, x->dtype, x->interval);
  const auto width = x->shape.at(-1).constant();
  Tensor* indices =
      result(machine,
             call,
             shape,
             DType::Kind::int32,
             Interval::of(0, width ? static_cast<double>(*width - 1) : Interval::k_inf));
  indices->requires_grad = Truth::no;
  return machine.tuple({values, indices});
}

Ref in_top_k(Machine& machine, Call& call)
{
  const Tensor* targets = operand(machine, call.arg("targets"));
  Tensor* made = result(machine, call, targets->shape, DType::Kind::boolean, Interval::of(0, 1));
  made->requires_grad = Truth::no;
  return made;
}

Ref confusion_matrix(Machine& machine, Call& call)
{
  const Dim classes = machine.to_dim(call.arg("num_classes"));
  return result(machine, call, Shape::of({classes, classes}), DType::Kind::int32);
}

Ref segment(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Tensor* ids = operand(machine, argument(call, 1));
  tf::expect_integers(machine, call, *ids, tf::argument_span(call, 1));
  const Ref count = call.arg("num_segments");
  const Dim rows = count != nullptr ? machine.to_dim(count) : Dim::top();
  return result(
      machine, call, x->shape.rank() >= 1 ? x->shape.with(0, rows) : Shape::top(), x->dtype);
}

// (the clipped list, its norm)
Ref clip_all(Machine& machine, Call& call)
{
  const Ref list = argument(call, 0);
  Tensor* norm = result(
      machine, call, Shape::scalar(), DType::Kind::float32, Interval::of(0, Interval::k_inf));
  return machine.tuple({list != nullptr ? list : machine.unknown(), norm});
}

Ref moments(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const auto over = tf::axes(machine, call.arg("axes"));
  const bool keep = machine.truthiness(tf::option(call, {"keepdims", "keep_dims"})).value_or(false);
  const Shape shape =
      over ? tf::checked(machine, call, reduced(x->shape, over, keep), call.span) : Shape::top();
  Tensor* mean = result(machine, call, shape, x->dtype, x->interval);
  Tensor* variance = result(
      machine, call, shape, x->dtype, interval_reduced("reduce_var", x->interval, Dim::top()));
  return machine.tuple({mean, variance});
}

constexpr std::string_view k_reduce =
    "input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None";
constexpr std::string_view k_arg =
    "input, axis=None, output_type='int64', name=None, dimension=None";

constexpr Api one(std::string_view name, std::string_view op, uint32_t traits = k_elementwise)
{
  return {name, "x, name=None", Role::function, op, traits, tf::unary};
}
constexpr Api two(std::string_view name, std::string_view op)
{
  return {name, "x, y, name=None", Role::function, op, k_elementwise, tf::binary};
}
constexpr Api compare(std::string_view name, std::string_view op)
{
  return {name, "x, y, name=None", Role::function, op, tf::k_step, tf::comparison};
}
constexpr Api reduce(std::string_view name, std::string_view op, uint32_t traits = k_reduction)
{
  return {name, k_reduce, Role::function, op, traits, tf::reduction};
}
constexpr Api square(std::string_view name, std::string_view op)
{
  return {name, "input, name=None, **kwargs", Role::function, op, 0, square_matrix};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    two("tensorflow.add", "add"),
    two("tensorflow.subtract", "sub"),
    two("tensorflow.sub", "sub"),
    two("tensorflow.multiply", "mul"),
    two("tensorflow.mul", "mul"),
    two("tensorflow.divide", "div"),
    two("tensorflow.div", "div"),
    two("tensorflow.truediv", "div"),
    two("tensorflow.realdiv", "div"),
    two("tensorflow.xdivy", "div_no_nan"),
    two("tensorflow.div_no_nan", "div_no_nan"),
    two("tensorflow.divide_no_nan", "div_no_nan"),
    two("tensorflow.multiply_no_nan", "mul"),
    two("tensorflow.floordiv", "floor_div"),
    two("tensorflow.floor_div", "floor_div"),
    two("tensorflow.mod", "mod"),
    two("tensorflow.floormod", "mod"),
    two("tensorflow.pow", "pow"),
    two("tensorflow.maximum", "maximum"),
    two("tensorflow.minimum", "minimum"),
    two("tensorflow.squared_difference", "squared_difference"),
    two("tensorflow.atan2", "atan2"),
    {"tensorflow.add_n", "inputs, name=None", Role::function, "add", 0, add_n},
    {"tensorflow.accumulate_n", "inputs, shape=None, tensor_dtype=None, name=None", Role::function, "add", 0, add_n},
    {"tensorflow.scalar_mul", "scalar, x, name=None", Role::function, "mul", k_elementwise, tf::binary},

    one("tensorflow.negative", "neg"),
    one("tensorflow.neg", "neg"),
    one("tensorflow.abs", "abs"),
    one("tensorflow.complex_abs", "abs"),
    one("tensorflow.square", "square"),
    one("tensorflow.sqrt", "sqrt"),
    one("tensorflow.rsqrt", "rsqrt"),
    one("tensorflow.exp", "exp"),
    one("tensorflow.expm1", "expm1"),
    one("tensorflow.log", "log"),
    one("tensorflow.log1p", "log1p"),
    one("tensorflow.log_sigmoid", "log_sigmoid"),
    one("tensorflow.reciprocal", "reciprocal"),
    one("tensorflow.inv", "reciprocal"),
    one("tensorflow.reciprocal_no_nan", "div_no_nan"),
    one("tensorflow.sin", "sin"),
    one("tensorflow.cos", "cos"),
    one("tensorflow.tan", "tan"),
    one("tensorflow.asin", "asin"),
    one("tensorflow.acos", "acos"),
    one("tensorflow.atan", "atan"),
    one("tensorflow.sinh", "sinh"),
    one("tensorflow.cosh", "cosh"),
    one("tensorflow.asinh", "asinh"),
    one("tensorflow.acosh", "acosh"),
    one("tensorflow.atanh", "atanh"),
    one("tensorflow.erf", "erf"),
    one("tensorflow.erfc", "erf"),
    one("tensorflow.erfinv", "erfinv"),
    one("tensorflow.lgamma", "lgamma"),
    one("tensorflow.digamma", "digamma"),
    one("tensorflow.sign", "sign", tf::k_step),
    one("tensorflow.round", "round", tf::k_step),
    one("tensorflow.rint", "round", tf::k_step),
    one("tensorflow.floor", "floor", tf::k_step),
    one("tensorflow.ceil", "ceil", tf::k_step),
    one("tensorflow.real", "identity"),
    one("tensorflow.imag", "identity"),
    one("tensorflow.conj", "identity"),
    one("tensorflow.angle", "angle"),

    compare("tensorflow.equal", "equal"),
    compare("tensorflow.not_equal", "not_equal"),
    compare("tensorflow.less", "less"),
    compare("tensorflow.less_equal", "less_equal"),
    compare("tensorflow.greater", "greater"),
    compare("tensorflow.greater_equal", "greater_equal"),
    compare("tensorflow.logical_and", "logical_and"),
    compare("tensorflow.logical_or", "logical_or"),
    compare("tensorflow.logical_xor", "logical_or"),
    {"tensorflow.logical_not", "x, name=None", Role::function, "logical_not", tf::k_step, tf::comparison},
    {"tensorflow.is_nan", "x, name=None", Role::function, "is_nan", tf::k_step, tf::comparison},
    {"tensorflow.is_inf", "x, name=None", Role::function, "is_nan", tf::k_step, tf::comparison},
    {"tensorflow.is_finite", "x, name=None", Role::function, "is_nan", tf::k_step, tf::comparison},

    reduce("tensorflow.reduce_sum", "reduce_sum"),
    reduce("tensorflow.reduce_mean", "reduce_mean"),
    reduce("tensorflow.reduce_max", "reduce_max"),
    reduce("tensorflow.reduce_min", "reduce_min"),
    reduce("tensorflow.reduce_prod", "reduce_prod"),
    reduce("tensorflow.reduce_any", "reduce_any", k_reduction | k_no_gradient),
    reduce("tensorflow.reduce_all", "reduce_all", k_reduction | k_no_gradient),
    reduce("tensorflow.reduce_logsumexp", "logsumexp"),
    reduce("tensorflow.reduce_std", "reduce_std"),
    reduce("tensorflow.reduce_variance", "reduce_var"),
    reduce("tensorflow.reduce_euclidean_norm", "norm"),
    reduce("tensorflow.count_nonzero", "count", k_reduction | k_no_gradient),
    {"tensorflow.norm", "tensor, ord='euclidean', axis=None, keepdims=None, name=None, keep_dims=None", Role::function, "norm", k_reduction, tf::reduction},
    {"tensorflow.global_norm", "t_list, name=None", Role::opaque},
    {"tensorflow.argmax", k_arg, Role::function, "argmax", k_reduction | k_no_gradient, tf::arg_reduction},
    {"tensorflow.argmin", k_arg, Role::function, "argmin", k_reduction | k_no_gradient, tf::arg_reduction},
    {"tensorflow.arg_max", k_arg, Role::function, "argmax", k_reduction | k_no_gradient, tf::arg_reduction},
    {"tensorflow.arg_min", k_arg, Role::function, "argmin", k_reduction | k_no_gradient, tf::arg_reduction},
    {"tensorflow.cumsum", "x, axis=0, exclusive=False, reverse=False, name=None", Role::function, "cumsum", 0, tf::unary},
    {"tensorflow.cumprod", "x, axis=0, exclusive=False, reverse=False, name=None", Role::function, "cumprod", 0, tf::unary},
    {"tensorflow.segment_sum", "data, segment_ids, name=None", Role::function, "reduce_sum", 0, segment},
    {"tensorflow.segment_mean", "data, segment_ids, name=None", Role::function, "reduce_mean", 0, segment},
    {"tensorflow.segment_max", "data, segment_ids, name=None", Role::function, "reduce_max", 0, segment},
    {"tensorflow.unsorted_segment_sum", "data, segment_ids, num_segments, name=None", Role::function, "reduce_sum", 0, segment},
    {"tensorflow.unsorted_segment_mean", "data, segment_ids, num_segments, name=None", Role::function, "reduce_mean", 0, segment},
    {"tensorflow.unsorted_segment_max", "data, segment_ids, num_segments, name=None", Role::function, "reduce_max", 0, segment},
    {"tensorflow.confusion_matrix", "labels, predictions, num_classes=None, weights=None, dtype='int32', name=None", Role::function, {}, k_no_gradient, confusion_matrix},

    {"tensorflow.matmul", "a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False, b_is_sparse=False, name=None", Role::function, "matmul", k_numeric_only, tf::matmul},
    {"tensorflow.batch_matmul", "x, y, adj_x=False, adj_y=False, name=None", Role::function, "matmul", k_numeric_only, tf::matmul},
    {"tensorflow.sparse_matmul", "a, b, transpose_a=False, transpose_b=False, **kwargs", Role::function, "matmul", k_numeric_only, tf::matmul},
    {"tensorflow.matvec", "a, b, transpose_a=False, name=None", Role::function, "matmul"},
    {"tensorflow.tensordot", "a, b, axes, name=None", Role::function, "tensordot", 0, tensordot},
    {"tensorflow.einsum", "equation, *inputs, **kwargs", Role::function, "einsum", 0, einsum_of},
    square("tensorflow.cholesky", "cholesky"),
    square("tensorflow.matrix_inverse", "inverse"),
    square("tensorflow.matrix_determinant", "det"),
    square("tensorflow.logdet", "logdet"),
    {"tensorflow.matrix_solve", "matrix, rhs, adjoint=False, name=None", Role::function, "solve", 0, solve},
    {"tensorflow.matrix_triangular_solve", "matrix, rhs, lower=True, adjoint=False, name=None", Role::function, "solve", 0, solve},
    {"tensorflow.cholesky_solve", "chol, rhs, name=None", Role::function, "solve", 0, solve},
    {"tensorflow.matrix_solve_ls", "matrix, rhs, **kwargs", Role::function, "solve"},
    {"tensorflow.svd", "tensor, full_matrices=False, compute_uv=True, name=None", Role::function},
    {"tensorflow.qr", "input, full_matrices=False, name=None", Role::function},
    {"tensorflow.self_adjoint_eig", "tensor, name=None", Role::function},
    {"tensorflow.trace", "x, name=None", Role::function, "reduce_sum"},
    {"tensorflow.cross", "a, b, name=None", Role::function, {}, 0, tf::binary},
    {"tensorflow.top_k", "input, k=1, sorted=True, name=None", Role::function, "topk", 0, top_k},
    {"tensorflow.in_top_k", "predictions, targets, k, name=None", Role::function, {}, k_no_gradient, in_top_k},
    {"tensorflow.nn.moments", "x, axes, shift=None, keepdims=False, name=None, keep_dims=None", Role::function, "moments", k_reduction, moments},
    {"tensorflow.clip_by_value", "t, clip_value_min, clip_value_max, name=None", Role::function, "clip", k_elementwise, tf::clip},
    {"tensorflow.clip_by_norm", "t, clip_norm, axes=None, name=None", Role::function, "clip_gradients", k_elementwise | k_reshaping, tf::same},
    {"tensorflow.clip_by_average_norm", "t, clip_norm, name=None", Role::function, "clip_gradients", k_elementwise | k_reshaping, tf::same},
    {"tensorflow.clip_by_global_norm", "t_list, clip_norm, use_norm=None, name=None", Role::function, "clip_gradients", 0, clip_all},
    {"tensorflow.bincount", "arr, weights=None, minlength=None, maxlength=None, **kwargs", Role::function},
    {"tensorflow.polyval", "coeffs, x, name=None", Role::function},
    {"tensorflow.histogram_fixed_width", "values, value_range, nbins=100, dtype='int32', name=None", Role::function},
    {"tensorflow.bessel_i0", "x, name=None", Role::function, {}, k_elementwise},
};
// clang-format on

} // namespace

std::span<const Api> tf_math()
{
  return k_rows;
}

} // namespace faultline::program
