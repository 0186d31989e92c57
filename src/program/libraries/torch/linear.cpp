// Binary functions, products of matrices and linear algebra.

#include "base/format.hpp"
#include "program/libraries/shared/operators.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"

#include <deque>
#include <string>

namespace faultline::program {

namespace torch {

Ref binary(Machine& machine, Call& call)
{
  return binary_operation(
      machine, call, call.op(), operand_value(call, 0, "input"), operand_value(call, 1, "other"));
}

Ref compare(Machine& machine, Call& call)
{
  return comparison(
      machine, call, operand_value(call, 0, "input"), operand_value(call, 1, "other"));
}

Ref matmul(Machine& machine, Call& call)
{
  return product_operation(
      machine, call, operand_value(call, 0, "input"), operand_value(call, 1, "other"));
}

// Functions that want operands of one rank: the row's number.
static Ref strict_product(Machine& machine, Call& call)
{
  const auto wanted = static_cast<size_t>(call.api->number);
  for (size_t n = 0; n < 2; ++n) {
    const Ref value = operand_value(call, n, n == 0 ? "input" : "other");
    const Shape shape = as_tensor(machine, value).shape;
    if (shape.has_rank() && *shape.rank() != wanted) {
      machine.problem(
          ProblemKind::rank,
          operand_span(call, n),
          format("`{}` wants tensors with {} axes, not {}", short_name(call), wanted, shape.text()),
          &call);
      return result(machine, call, as_tensor(machine, value), Shape::top());
    }
  }
  const Shape a = as_tensor(machine, operand_value(call, 0)).shape;
  const Shape b = as_tensor(machine, operand_value(call, 1)).shape;
  if (wanted == 3 && a.has_rank() && b.has_rank() &&
      a.at(0).compare(b.at(0)) == Dim::Comparison::different) {
    machine.problem(
        ProblemKind::contraction,
        call.span,
        format("`{}` of {} and {}: the batches differ", short_name(call), a.text(), b.text()),
        &call);
    return result(machine, call, as_tensor(machine, operand_value(call, 0)), Shape::top());
  }
  return matmul(machine, call);
}

// input + a @ b
static Ref add_product(Machine& machine, Call& call)
{
  const Tensor& a = as_tensor(machine, operand_value(call, 1));
  const Tensor& b = as_tensor(machine, operand_value(call, 2));
  const Shape product = checked(machine, call, matrix_product(a.shape, b.shape), call.span);
  const Combined sum = combined(input_of(machine, call).shape, product);
  return result(machine, call, a, checked(machine, call, sum.result, call.span));
}

static Ref outer(Machine& machine, Call& call)
{
  const Tensor& a = as_tensor(machine, operand_value(call, 0));
  const Tensor& b = as_tensor(machine, operand_value(call, 1));
  return result(machine,
                call,
                a,
                a.shape.rank() == 1 && b.shape.rank() == 1 ? a.shape.plus(b.shape)
                                                           : Shape::of_rank(2),
                a.interval.times(b.interval));
}

static Ref einsum_of(Machine& machine, Call& call)
{
  std::vector<Shape> shapes;
  const Tensor* first = nullptr;
  std::vector<Ref> operands;
  bool closed = true;
  for (const Argument& argument : call.surplus) {
    closed = closed && argument.name != "*";
    if (const auto* list = as<Sequence>(argument.value)) {
      closed = closed && !list->open;
      operands.insert(operands.end(), list->items.begin(), list->items.end());
    } else {
      operands.push_back(argument.value);
    }
  }
  for (const Ref value : operands) {
    const Tensor& tensor = as_tensor(machine, value);
    first = first == nullptr ? &tensor : first;
    shapes.push_back(tensor.shape);
  }
  if (first == nullptr) {
    first = &as_tensor(machine, nullptr);
  }
  const auto equation = machine.to_string(call.arg("equation"));
  return result(machine,
                call,
                *first,
                equation && closed ? checked(machine, call, einsum(*equation, shapes), call.span)
                                   : Shape::top());
}

static Ref tensordot(Machine& machine, Call& call)
{
  const Tensor& a = as_tensor(machine, operand_value(call, 0));
  const Tensor& b = as_tensor(machine, operand_value(call, 1));
  const Ref dims = option(call, {"dims"});
  std::vector<int64_t> left;
  std::vector<int64_t> right;
  if (const auto count = machine.to_int(dims); count && a.shape.has_rank()) {
    if (*count > static_cast<int64_t>(a.shape.dims().size())) {
      return result(machine, call, a, Shape::top());
    }
    for (int64_t i = 0; i < *count; ++i) {
      left.push_back(i - *count);
      right.push_back(i);
    }
  } else if (const auto* pair = as<Sequence>(dims); pair != nullptr && pair->items.size() == 2) {
    for (size_t side = 0; side < 2; ++side) {
      const auto axes = machine.to_dims(pair->items[side]);
      if (!axes) {
        return result(machine, call, a, Shape::top());
      }
      for (const Dim& axis : *axes) {
        (side == 0 ? left : right).push_back(axis.constant().value_or(0));
      }
    }
  } else {
    return result(machine, call, a, Shape::top());
  }
  return result(machine,
                call,
                a,
                checked(machine, call, tensor_product(a.shape, b.shape, left, right), call.span));
}

// A function of square matrices that gives a matrix of the same shape.
static Ref of_square(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  if (auto wrong = not_square(input.shape, short_name(call))) {
    return result(machine, call, input, checked(machine, call, *wrong, call.span));
  }
  return result(machine, call, input, input.shape);
}

// One number for each square matrix.
static Ref number_of_square(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  if (auto wrong = not_square(input.shape, short_name(call))) {
    return result(machine, call, input, checked(machine, call, *wrong, call.span));
  }
  Shape shape = Shape::top();
  if (input.shape.has_rank() && *input.shape.rank() >= 2) {
    shape = input.shape.without(*input.shape.rank() - 1).without(*input.shape.rank() - 2);
  }
  return result(machine, call, input, shape);
}

static Ref solve(Machine& machine, Call& call)
{
  const Tensor& right = as_tensor(machine, operand_value(call, 1));
  return result(machine, call, right, right.shape);
}

static Ref factors(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  std::vector<Ref> parts;
  for (int i = 0; i < call.api->number; ++i) {
    parts.push_back(result(machine, call, input, Shape::top()));
  }
  return machine.tuple(std::move(parts));
}

static Ref cdist(Machine& machine, Call& call)
{
  const Tensor& a = as_tensor(machine, operand_value(call, 0));
  const Tensor& b = as_tensor(machine, operand_value(call, 1));
  if (!a.shape.has_rank() || !b.shape.has_rank() || *a.shape.rank() < 2 || *b.shape.rank() < 2) {
    return result(machine, call, a, Shape::top());
  }
  if (a.shape.at(-1).compare(b.shape.at(-1)) == Dim::Comparison::different) {
    return result(machine,
                  call,
                  a,
                  checked(machine,
                          call,
                          Wrong{ProblemKind::contraction,
                                format("distances between {} and {}: the last axes differ",
                                       a.shape.text(),
                                       b.shape.text())},
                          call.span));
  }
  return result(
      machine, call, a, a.shape.with(-1, b.shape.at(-2)), Interval::of(0, Interval::k_inf));
}

Ref cosine_similarity(Machine& machine, Call& call)
{
  const Tensor& a = as_tensor(machine, operand_value(call, 0));
  const Tensor& b = as_tensor(machine, operand_value(call, 1));
  const auto axis = int_option(machine, call, {"dim"});
  const Combined both = combined(a.shape, b.shape);
  const Shape shape = checked(machine, call, both.result, call.span);
  return result(machine,
                call,
                a,
                axis ? reduced(shape, std::vector<int64_t>{*axis}, false).shape : Shape::top(),
                call.is("cosine_similarity") ? Interval::of(-1, 1)
                                             : Interval::of(0, Interval::k_inf));
}

// a + value * b * c and the like.
static Ref ternary(Machine& machine, Call& call)
{
  Shape shape = input_of(machine, call).shape;
  for (size_t n = 1; n < 3; ++n) {
    const Combined both = combined(shape, as_tensor(machine, operand_value(call, n)).shape);
    shape = checked(machine, call, both.result, call.span);
  }
  return result(machine, call, input_of(machine, call), shape);
}

static Ref interpolate_linearly(Machine& machine, Call& call)
{
  return binary_operation(machine, call, "where", operand_value(call, 0), operand_value(call, 1));
}

} // namespace torch

namespace {

struct Pair {
  std::string_view name;
  std::string_view op;
  bool compares = false;
};

constexpr Pair k_pairs[] = {
    {"add", "add"},
    {"sub", "sub"},
    {"subtract", "sub"},
    {"mul", "mul"},
    {"multiply", "mul"},
    {"div", "div"},
    {"divide", "div"},
    {"true_divide", "div"},
    {"floor_divide", "floor_div"},
    {"remainder", "mod"},
    {"fmod", "mod"},
    {"pow", "pow"},
    {"float_power", "pow"},
    {"maximum", "maximum"},
    {"minimum", "minimum"},
    {"fmax", "maximum"},
    {"fmin", "minimum"},
    {"atan2", {}},
    {"arctan2", {}},
    {"hypot", {}},
    {"xlogy", {}},
    {"logaddexp", {}},
    {"bitwise_and", "logical_and"},
    {"bitwise_or", "logical_or"},
    {"bitwise_xor", "logical_xor"},
    {"eq", "equal", true},
    {"ne", "not_equal", true},
    {"not_equal", "not_equal", true},
    {"lt", "less", true},
    {"less", "less", true},
    {"le", "less_equal", true},
    {"less_equal", "less_equal", true},
    {"gt", "greater", true},
    {"greater", "greater", true},
    {"ge", "greater_equal", true},
    {"greater_equal", "greater_equal", true},
    {"isclose", "equal", true},
    {"logical_and", "logical_and", true},
    {"logical_or", "logical_or", true},
    {"logical_xor", "logical_xor", true},
};

std::vector<Api> make_rows()
{
  static std::deque<std::string> names;
  std::vector<Api> rows;
  for (const Pair& pair : k_pairs) {
    const Transfer transfer = pair.compares ? torch::compare : torch::binary;
    const uint32_t traits = k_elementwise | (pair.compares ? uint32_t{k_no_gradient} : 0U);
    const std::string_view function = names.emplace_back(format("torch.{}", pair.name));
    const std::string_view method = names.emplace_back(format("torch.Tensor.{}", pair.name));
    const std::string_view changing = names.emplace_back(format("torch.Tensor.{}_", pair.name));
    rows.push_back({function, "input, other, **kwargs", Role::function, pair.op, traits, transfer});
    rows.push_back({method, "other, **kwargs", Role::method, pair.op, traits, transfer});
    rows.push_back(
        {changing, "other, **kwargs", Role::method, pair.op, traits | k_in_place, transfer});
  }
  return rows;
}

} // namespace

std::span<const Api> torch_binary()
{
  static const std::vector<Api> k_generated = make_rows();
  return k_generated;
}

std::span<const Api> torch_linear()
{
  using namespace torch;
  constexpr Role f = Role::function;
  constexpr Role m = Role::method;
  static constexpr Api k_rows[] = {
      {"torch.matmul", "input, other, *, out=None", f, "matmul", 0, matmul},
      {"torch.linalg.matmul", "input, other", f, "matmul", 0, matmul},
      {"torch.Tensor.matmul", "other", m, "matmul", 0, matmul},
      {"torch.mm", "input, mat2, *, out=None", f, "matmul", 0, strict_product, {}, 2},
      {"torch.Tensor.mm", "mat2", m, "matmul", 0, strict_product, {}, 2},
      {"torch.spmm", "input, mat2", f, "matmul", 0, strict_product, {}, 2},
      {"torch.sparse.mm", "mat1, mat2", f, "matmul", 0, strict_product, {}, 2},
      {"torch.Tensor.spmm", "mat2", m, "matmul", 0, strict_product, {}, 2},
      {"torch.bmm", "input, mat2, *, out=None", f, "matmul", 0, strict_product, {}, 3},
      {"torch.Tensor.bmm", "batch2", m, "matmul", 0, strict_product, {}, 3},
      {"torch.mv", "input, vec", f, "matmul", 0, matmul},
      {"torch.Tensor.mv", "vec", m, "matmul", 0, matmul},
      {"torch.dot", "input, other", f, "matmul", 0, strict_product, {}, 1},
      {"torch.vdot", "input, other", f, "matmul", 0, strict_product, {}, 1},
      {"torch.inner", "input, other", f, "matmul", 0},
      {"torch.Tensor.dot", "other", m, "matmul", 0, strict_product, {}, 1},
      {"torch.addmm", "input, mat1, mat2, **kwargs", f, "matmul", 0, add_product},
      {"torch.Tensor.addmm", "mat1, mat2, **kwargs", m, "matmul", 0, add_product},
      {"torch.Tensor.addmm_", "mat1, mat2, **kwargs", m, "matmul", k_in_place, add_product},
      {"torch.addmv", "input, mat, vec, **kwargs", f, "matmul", 0, add_product},
      {"torch.baddbmm", "input, batch1, batch2, **kwargs", f, "matmul", 0, add_product},
      {"torch.Tensor.baddbmm", "batch1, batch2, **kwargs", m, "matmul", 0, add_product},
      {"torch.addbmm", "input, batch1, batch2, **kwargs", f, "matmul", 0},
      {"torch.outer", "input, vec2", f, "mul", 0, outer},
      {"torch.ger", "input, vec2", f, "mul", 0, outer},
      {"torch.Tensor.outer", "vec2", m, "mul", 0, outer},
      {"torch.Tensor.ger", "vec2", m, "mul", 0, outer},
      {"torch.einsum", "equation, *operands", f, "einsum", 0, einsum_of},
      {"torch.tensordot", "a, b, dims=2", f, "tensordot", 0, tensordot},
      {"torch.kron", "input, other", f, {}},
      {"torch.chain_matmul", "*matrices", f, "matmul"},
      {"torch.linalg.multi_dot", "tensors", f, "matmul"},
      {"torch.cross", "input, other, dim=None", f, {}, 0, binary},
      {"torch.linalg.cross", "input, other, dim=-1", f, {}, 0, binary},
      {"torch.cdist", "x1, x2, p=2.0", f, "norm", 0, cdist},
      {"torch.inverse", "input", f, "inverse", 0, of_square},
      {"torch.Tensor.inverse", "", m, "inverse", 0, of_square},
      {"torch.linalg.inv", "A", f, "inverse", 0, of_square},
      {"torch.linalg.pinv", "A, rcond=None", f, {}},
      {"torch.pinverse", "input, rcond=1e-15", f, {}},
      {"torch.cholesky", "input, upper=False", f, "cholesky", 0, of_square},
      {"torch.Tensor.cholesky", "upper=False", m, "cholesky", 0, of_square},
      {"torch.linalg.cholesky", "A, *, upper=False", f, "cholesky", 0, of_square},
      {"torch.matrix_exp", "input", f, {}, 0, of_square},
      {"torch.linalg.matrix_exp", "input", f, {}, 0, of_square},
      {"torch.matrix_power", "input, n", f, {}, 0, of_square},
      {"torch.det", "input", f, "det", 0, number_of_square},
      {"torch.Tensor.det", "", m, "det", 0, number_of_square},
      {"torch.linalg.det", "A", f, "det", 0, number_of_square},
      {"torch.logdet", "input", f, "logdet", 0, number_of_square},
      {"torch.Tensor.logdet", "", m, "logdet", 0, number_of_square},
      {"torch.linalg.slogdet", "A", f, "logdet", 0, factors, {}, 2},
      {"torch.slogdet", "input", f, "logdet", 0, factors, {}, 2},
      {"torch.linalg.solve", "A, B", f, "solve", 0, solve},
      {"torch.linalg.lstsq", "A, B", f, "solve", 0, factors, {}, 4},
      {"torch.cholesky_solve", "input, input2, upper=False", f, "solve"},
      {"torch.triangular_solve", "b, A", f, "solve", 0, factors, {}, 2},
      {"torch.svd", "input, some=True, compute_uv=True", f, {}, 0, factors, {}, 3},
      {"torch.Tensor.svd", "some=True, compute_uv=True", m, {}, 0, factors, {}, 3},
      {"torch.linalg.svd", "A, full_matrices=True", f, {}, 0, factors, {}, 3},
      {"torch.pca_lowrank", "A, q=None, center=True", f, {}, 0, factors, {}, 3},
      {"torch.qr", "input, some=True", f, {}, 0, factors, {}, 2},
      {"torch.linalg.qr", "A, mode='reduced'", f, {}, 0, factors, {}, 2},
      {"torch.eig", "input, eigenvectors=False", f, {}, 0, factors, {}, 2},
      {"torch.symeig", "input, eigenvectors=False", f, {}, 0, factors, {}, 2},
      {"torch.linalg.eigh", "A, UPLO='L'", f, {}, 0, factors, {}, 2},
      {"torch.linalg.eig", "A", f, {}, 0, factors, {}, 2},
      {"torch.linalg.eigvalsh", "A", f, {}},
      {"torch.linalg.matrix_rank", "A, tol=None", f, {}, k_no_gradient},
      {"torch.cosine_similarity",
       "x1, x2, dim=1, eps=1e-8",
       f,
       "cosine_similarity",
       k_reduction,
       cosine_similarity},
      {"torch.nn.functional.cosine_similarity",
       "x1, x2, dim=1, eps=1e-8",
       f,
       "cosine_similarity",
       k_reduction,
       cosine_similarity},
      {"torch.nn.CosineSimilarity",
       "dim=1, eps=1e-8",
       Role::layer,
       "cosine_similarity",
       k_reduction,
       cosine_similarity},
      {"torch.pairwise_distance",
       "x1, x2, p=2.0, eps=1e-06, keepdim=False, dim=-1",
       f,
       "norm",
       k_reduction,
       cosine_similarity},
      {"torch.nn.functional.pairwise_distance",
       "x1, x2, p=2.0, eps=1e-06, keepdim=False, dim=-1",
       f,
       "norm",
       k_reduction,
       cosine_similarity},
      {"torch.nn.PairwiseDistance",
       "p=2.0, eps=1e-06, keepdim=False, dim=-1",
       Role::layer,
       "norm",
       k_reduction,
       cosine_similarity},
      {"torch.nn.functional.pdist", "input, p=2", f, "norm", k_reduction},
      {"torch.addcmul", "input, tensor1, tensor2, value=1", f, {}, k_elementwise, ternary},
      {"torch.addcdiv", "input, tensor1, tensor2, value=1", f, {}, k_elementwise, ternary},
      {"torch.Tensor.addcmul", "tensor1, tensor2, value=1", m, {}, k_elementwise, ternary},
      {"torch.Tensor.addcdiv", "tensor1, tensor2, value=1", m, {}, k_elementwise, ternary},
      {"torch.Tensor.addcmul_",
       "tensor1, tensor2, value=1",
       m,
       {},
       k_elementwise | k_in_place,
       ternary},
      {"torch.Tensor.addcdiv_",
       "tensor1, tensor2, value=1",
       m,
       {},
       k_elementwise | k_in_place,
       ternary},
      {"torch.lerp", "input, end, weight", f, {}, k_elementwise, interpolate_linearly},
      {"torch.Tensor.lerp", "end, weight", m, {}, k_elementwise, interpolate_linearly},
      {"torch.Tensor.lerp_",
       "end, weight",
       m,
       {},
       k_elementwise | k_in_place,
       interpolate_linearly},
  };
  return k_rows;
}

} // namespace faultline::program
