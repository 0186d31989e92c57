#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

namespace {

bool needs_full_rank(const Call& call)
{
  return call.is("cholesky") || call.is("inverse") || call.is("solve") || call.is("logdet");
}

// x @ x.T, perhaps scaled: the tensor x; null if `matrix` is none. Whatever is added, such as a
// multiple of the identity, makes it something else.
const Tensor* gram_factor(const Tensor* matrix)
{
  const Call* call = numeric::maker(matrix);
  if (call != nullptr && (call->is("mul") || call->is("div"))) {
    const numeric::Operand a = numeric::operand(*call, 0);
    const numeric::Operand b = numeric::operand(*call, 1);
    if (a.tensor != nullptr && b.tensor != nullptr) {
      return nullptr;
    }
    call = numeric::maker(a.tensor != nullptr ? a.tensor : b.tensor);
  }
  if (call == nullptr || !call->is("matmul")) {
    return nullptr;
  }
  const Tensor* const left = numeric::held(numeric::operand(*call, 0).tensor);
  return left != nullptr && left == numeric::held(numeric::operand(*call, 1).tensor) ? left
                                                                                     : nullptr;
}

// Why `matrix` surely has no inverse; empty if that is not known.
std::string singular_because(const Tensor& matrix)
{
  const auto size = matrix.shape.at(-1).constant();
  if (!size || *size < 2) {
    return {};
  }
  if (matrix.interval.value()) {
    return format("all elements are {:g}", *matrix.interval.value());
  }
  const Tensor* const factor = gram_factor(&matrix);
  if (factor == nullptr || factor->shape.rank() != 2) {
    return {};
  }
  const auto rows = factor->shape.at(0).constant();
  const auto columns = factor->shape.at(1).constant();
  if (!rows || !columns || (*rows != *size && *columns != *size)) {
    return {};
  }
  const int64_t rank = std::min(*rows, *columns);
  return rank < *size
             ? format("a product of {} vectors of size {} has rank {} at most", rank, *size, rank)
             : std::string();
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const numeric::Operand matrix =
        needs_full_rank(call) ? numeric::operand(call, 0) : numeric::Operand();
    const std::string why =
        matrix.tensor != nullptr ? singular_because(*matrix.tensor) : std::string();
    if (why.empty()) {
      continue;
    }
    const int64_t size = *matrix.tensor->shape.at(-1).constant();
    report.add(matrix.span, format("`{}` of a singular matrix", written(program, call)))
        .label(why)
        .help(format("add a small multiple of the identity first: `m + 1e-6 * eye({})`", size))
        .type(numeric::type_of(program, call))
        .cause(&call);
  }
}

} // namespace

extern const Rule singular_matrix{
    .name = "singular-matrix",
    .summary = "Finds inverses and decompositions of matrices that have none",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "data-wrangling",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
