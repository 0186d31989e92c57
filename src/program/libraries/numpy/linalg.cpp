// NumPy: products of matrices and linear algebra; the parts of SciPy that give arrays.

#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

static constexpr DType k_float64 = DType::Kind::float64;

static Ref product(Machine& m, Call& call, Shaped (*rule)(const Shape&, const Shape&))
{
  const Tensor& a = subject(m, call);
  const Tensor& b = operand(m, call, "b");
  const Dim terms = a.shape.has_rank() && *a.shape.rank() > 0 ? a.shape.at(-1) : Dim::constant(1);
  return array(m,
               call,
               settle(m, call, rule(a.shape, b.shape), call.span),
               numpy_promoted(a.dtype, b.dtype),
               product_interval(a.interval, b.interval, terms));
}

static Ref dot(Machine& m, Call& call)
{
  return product(m, call, dot_product);
}
static Ref matmul(Machine& m, Call& call)
{
  return product(m, call, matrix_product);
}

static Ref inner(Machine& m, Call& call)
{
  const Tensor& a = operand(m, call, "a");
  const Tensor& b = operand(m, call, "b");
  if (a.shape.rank() != 1 || b.shape.rank() != 1) {
    return array(m, call, Shape::top(), numpy_promoted(a.dtype, b.dtype));
  }
  return array(m,
               call,
               settle(m, call, dot_product(a.shape, b.shape), call.span),
               numpy_promoted(a.dtype, b.dtype),
               product_interval(a.interval, b.interval, a.shape.at(0)));
}

static Ref outer(Machine& m, Call& call)
{
  const Tensor& a = operand(m, call, "a");
  const Tensor& b = operand(m, call, "b");
  return array(m,
               call,
               Shape::of({a.shape.elements(), b.shape.elements()}),
               numpy_promoted(a.dtype, b.dtype),
               a.interval.times(b.interval));
}

static Ref tensordot(Machine& m, Call& call)
{
  const Tensor& a = operand(m, call, "a");
  const Tensor& b = operand(m, call, "b");
  const Ref axes = take(m, call, "axes");
  Shape shape = Shape::top();
  if (const auto count = m.to_int(axes); count && *count >= 0 && *count <= 8) {
    std::vector<int64_t> left;
    std::vector<int64_t> right;
    for (int64_t i = 0; i < *count; ++i) {
      left.push_back(i - *count);
      right.push_back(i);
    }
    shape = settle(m, call, tensor_product(a.shape, b.shape, left, right), call.span);
  } else if (const std::vector<Ref> sides = m.items_of(axes); sides.size() == 2) {
    const Axes left = axes_argument(m, sides[0]);
    const Axes right = axes_argument(m, sides[1]);
    if (left.list && right.list) {
      shape = settle(m, call, tensor_product(a.shape, b.shape, *left.list, *right.list), call.span);
    }
  }
  return array(m, call, shape, numpy_promoted(a.dtype, b.dtype));
}

static Ref einstein_sum(Machine& m, Call& call)
{
  const auto equation = m.to_string(call.arg("subscripts"));
  std::vector<Shape> shapes;
  DType dtype = DType::bottom();
  for (const Ref value : positional(call)) {
    const Tensor& input = to_array(m, value);
    shapes.push_back(input.shape);
    dtype = dtype == DType::bottom() ? input.dtype : numpy_promoted(dtype, input.dtype);
  }
  return array(m,
               call,
               equation ? settle(m, call, einsum(*equation, shapes), call.span) : Shape::top(),
               shapes.empty() ? DType() : dtype);
}

static Ref kronecker(Machine& m, Call& call)
{
  const Tensor& a = operand(m, call, "a");
  const Tensor& b = operand(m, call, "b");
  Shape shape = Shape::top();
  if (a.shape.has_rank() && a.shape.rank() == b.shape.rank()) {
    shape = tiled(a.shape, b.shape.dims());
  }
  return array(m, call, shape, numpy_promoted(a.dtype, b.dtype));
}

static Ref norm(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "x");
  const Axes axes = axes_argument(m, call.arg("axis"));
  const bool keeps = m.to_bool(call.arg("keepdims")) == true;
  const Shape shape =
      axes.known ? settle(m, call, reduced(input.shape, axes.list, keeps), span_of(call, "axis"))
                 : Shape::top();
  return array(m,
               call,
               shape,
               as_floating(input.dtype),
               interval_reduced("norm", input.interval, Dim::top()));
}

// inv, cholesky and their like: a square matrix gives another.
static Ref square_matrix(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "a");
  if (const auto wrong = not_square(input.shape, call.name)) {
    settle(m, call, *wrong, span_of(call, "a"));
  }
  return array(m, call, input.shape, as_floating(input.dtype));
}

static Ref pseudo_inverse(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "a");
  return array(m,
               call,
               input.shape.rank() == 2 ? Shape::of({input.shape.at(1), input.shape.at(0)})
                                       : Shape::top(),
               as_floating(input.dtype));
}

static Ref determinant(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "a");
  if (const auto wrong = not_square(input.shape, call.name)) {
    settle(m, call, *wrong, span_of(call, "a"));
    return array(m, call, Shape::top(), as_floating(input.dtype));
  }
  const std::vector<int64_t> last = {-1, -2};
  const Shape shape =
      input.shape.has_rank() ? reduced(input.shape, last, false).shape : Shape::top();
  return array(m, call, shape, as_floating(input.dtype));
}

static Ref solve(Machine& m, Call& call)
{
  const Tensor& b = operand(m, call, "b");
  return array(m, call, b.shape, as_floating(b.dtype));
}

static Ref decomposition(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "a");
  const Dim n = input.shape.rank() == 2 ? input.shape.at(0) : Dim::top();
  const bool eigen = call.name.ends_with("eig") || call.name.ends_with("eigh");
  if (eigen) {
    return m.tuple({array(m, call, Shape::of({n})), array(m, call, input.shape)});
  }
  const size_t parts = call.name.ends_with("svd") ? 3 : 2;
  std::vector<Ref> results;
  for (size_t i = 0; i < parts; ++i) {
    results.push_back(array(m, call, Shape::top(), as_floating(input.dtype)));
  }
  return m.tuple(std::move(results));
}

static Ref scalar(Machine& m, Call& call)
{
  return array(m, call, Shape::scalar(), k_float64);
}

static Ref correlation(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "m");
  const Dim n =
      input.shape.rank() == 2 && call.given("y") == nullptr ? input.shape.at(0) : Dim::top();
  return array(m, call, Shape::of({n, n}), k_float64);
}

static Ref same_shape(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "x");
  return array(
      m, call, input.shape, as_floating(input.dtype), interval_after(call.op(), input.interval));
}

static Ref same_image(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "input");
  return array_like(m, call, input);
}

static Ref unknown_array(Machine& m, Call& call)
{
  return array(m, call, Shape::top());
}

static constexpr std::string_view k_any = "*args, **kwargs";

static constexpr Api k_rows[] = {
    {"numpy.dot", "a, b, out=None", Role::function, "matmul", 0, dot},
    {"numpy.ndarray.dot", "b, out=None", Role::method, "matmul", 0, dot},
    {"numpy.matmul", "a, b, out=None, **kwargs", Role::function, "matmul", 0, matmul},
    {"numpy.vdot", "a, b", Role::function, {}, 0, scalar},
    {"numpy.inner", "a, b", Role::function, {}, 0, inner},
    {"numpy.outer", "a, b, out=None", Role::function, {}, 0, outer},
    {"numpy.cross", "a, b, **kwargs", Role::function},
    {"numpy.kron", "a, b", Role::function, {}, 0, kronecker},
    {"numpy.tensordot", "a, b, axes=2", Role::function, "tensordot", 0, tensordot},
    {"numpy.einsum",
     "subscripts, *operands, out=None, **kwargs",
     Role::function,
     "einsum",
     0,
     einstein_sum},
    {"numpy.trace", "a, **kwargs", Role::function, {}, 0, scalar},
    {"numpy.cov", "m, y=None, rowvar=True, **kwargs", Role::function, {}, 0, correlation},
    {"numpy.corrcoef", "m, y=None, rowvar=True, **kwargs", Role::function, {}, 0, correlation},
    {"numpy.convolve", "a, v, mode='full'", Role::function, {}, 0, unknown_array},
    {"numpy.correlate", "a, v, mode='valid'", Role::function, {}, 0, unknown_array},
    {"numpy.polyfit", "x, y, deg, **kwargs", Role::function, {}, 0, unknown_array},
    {"numpy.polyval", "p, x", Role::function, {}, 0, same_shape},
    {"numpy.poly1d", "c_or_r, **kwargs", Role::object},
    {"numpy.trapz", k_any, Role::function, {}, 0, scalar},
    {"numpy.linalg.norm",
     "x, ord=None, axis=None, keepdims=False",
     Role::function,
     "norm",
     k_reduction,
     norm},
    {"numpy.linalg.inv", "a", Role::function, "inverse", 0, square_matrix},
    {"numpy.linalg.pinv", "a, **kwargs", Role::function, {}, 0, pseudo_inverse},
    {"numpy.linalg.cholesky", "a, **kwargs", Role::function, "cholesky", 0, square_matrix},
    {"numpy.linalg.matrix_power", "a, n", Role::function, {}, 0, square_matrix},
    {"numpy.linalg.det", "a", Role::function, "det", 0, determinant},
    {"numpy.linalg.slogdet", "a", Role::function, "logdet", 0, unknown_array},
    {"numpy.linalg.solve", "a, b", Role::function, "solve", 0, solve},
    {"numpy.linalg.lstsq", "a, b, rcond=None", Role::function},
    {"numpy.linalg.eig", "a", Role::function, {}, 0, decomposition},
    {"numpy.linalg.eigh", "a, UPLO='L'", Role::function, {}, 0, decomposition},
    {"numpy.linalg.eigvals", "a", Role::function, {}, 0, unknown_array},
    {"numpy.linalg.eigvalsh", "a", Role::function, {}, 0, unknown_array},
    {"numpy.linalg.svd",
     "a, full_matrices=True, compute_uv=True, **kwargs",
     Role::function,
     {},
     0,
     decomposition},
    {"numpy.linalg.qr", "a, mode='reduced'", Role::function, {}, 0, decomposition},
    {"numpy.linalg.matrix_rank", "a, **kwargs", Role::function, {}, 0, scalar},
    {"numpy.linalg.cond", "a, **kwargs", Role::function, {}, 0, scalar},
    {"numpy.linalg.LinAlgError", "*args", Role::object},
    {"numpy.fft.fft", "x, n=None, axis=-1, norm=None", Role::function, {}, 0, unknown_array},
    {"numpy.fft.ifft", "x, n=None, axis=-1, norm=None", Role::function, {}, 0, unknown_array},
    {"numpy.fft.rfft", "x, n=None, axis=-1, norm=None", Role::function, {}, 0, unknown_array},
    {"numpy.fft.irfft", "x, n=None, axis=-1, norm=None", Role::function, {}, 0, unknown_array},
    {"numpy.fft.fft2", k_any, Role::function, {}, 0, unknown_array},
    {"numpy.fft.ifft2", k_any, Role::function, {}, 0, unknown_array},
    {"numpy.fft.fftshift", k_any, Role::function, {}, 0, unknown_array},
    {"numpy.fft.fftfreq", k_any, Role::function, {}, 0, unknown_array},

    {"scipy.special.expit", "x, **kwargs", Role::function, "sigmoid", k_elementwise, same_shape},
    {"scipy.special.logit", "x, **kwargs", Role::function, {}, k_elementwise, same_shape},
    {"scipy.special.softmax", "x, axis=None", Role::function, "softmax", k_elementwise, same_shape},
    {"scipy.special.log_softmax",
     "x, axis=None",
     Role::function,
     "log_softmax",
     k_elementwise,
     same_shape},
    {"scipy.special.erf", "x, **kwargs", Role::function, "erf", k_elementwise, same_shape},
    {"scipy.special.gammaln", "x, **kwargs", Role::function, "lgamma", k_elementwise, same_shape},
    {"scipy.special.logsumexp",
     "x, axis=None, **kwargs",
     Role::function,
     "logsumexp",
     0,
     unknown_array},
    {"scipy.ndimage.gaussian_filter", "input, sigma, **kwargs", Role::function, {}, 0, same_image},
    {"scipy.ndimage.median_filter", "input, **kwargs", Role::function, {}, 0, same_image},
    {"scipy.ndimage.uniform_filter", "input, **kwargs", Role::function, {}, 0, same_image},
    {"scipy.ndimage.zoom", k_any, Role::function, {}, 0, unknown_array},
    {"scipy.ndimage.rotate", k_any, Role::function, {}, 0, unknown_array},
    {"scipy.ndimage.shift", "input, shift, **kwargs", Role::function, {}, 0, same_image},
    {"scipy.signal.lfilter", k_any, Role::function, {}, 0, unknown_array},
    {"scipy.signal.convolve", k_any, Role::function, {}, 0, unknown_array},
    {"scipy.signal.convolve2d", k_any, Role::function, {}, 0, unknown_array},
    {"scipy.io.loadmat", k_any, Role::function},
    {"scipy.io.savemat", k_any, Role::opaque},
    {"scipy.linalg.inv", "a, **kwargs", Role::function, "inverse", 0, square_matrix},
    {"scipy.linalg.sqrtm", "a, **kwargs", Role::function, {}, 0, square_matrix},
    {"scipy.linalg.cholesky", "a, **kwargs", Role::function, "cholesky", 0, square_matrix},
};

std::span<const Api> numpy_linalg()
{
  return k_rows;
}

} // namespace faultline::program
