#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

namespace {

// Whole vectors of zeros are usual: after a relu, in one-hot rows, in images.
bool may_be_zero_vector(const Tensor& vector)
{
  return vector.interval.low() == 0 || vector.source != nullptr;
}

void check_division(const Program& program, const Call& call, Reporter& report)
{
  const Operand divisor = call.is("div") ? numeric::operand(call, 1) : Operand();
  const Tensor* const vector = numeric::normed(divisor.tensor);
  if (vector == nullptr || !numeric::reaches_zero(divisor) || !vector->interval.is_known() ||
      !numeric::may_learn(numeric::result_of(call)) || !numeric::depends_on_activations(vector) ||
      numeric::is_compared_with_zero(program, divisor.tensor)) {
    return;
  }
  const Call* const length = numeric::maker(divisor.tensor);
  report.add(divisor.span, "division by a length that may be 0")
      .label("0 for a vector of zeros: the result and its gradient are NaN")
      .help(numeric::is_torch(call) ? "use `F.normalize(x, dim=1)`, which guards against it"
                                    : "use `tf.math.l2_normalize(x, axis=1)`, which guards "
                                      "against it")
      .severity(may_be_zero_vector(*vector) ? Severity::warning : Severity::info)
      .type(numeric::type_of(program, call))
      .cause(length->is("sqrt") ? numeric::held(numeric::operand(*length, 0).tensor)
                                : numeric::held(divisor.tensor));
}

// TensorFlow differentiates the root in the norm: 0 / 0 where two points coincide. torch gives 0.
void check_gradient(const Program& program, const Call& call, Reporter& report)
{
  const Operand x =
      call.is("norm") && !numeric::is_torch(call) ? numeric::operand(call, 0) : Operand();
  const Call* const difference = numeric::maker(x.tensor);
  if (difference == nullptr || !(difference->is("sub") || difference->is("subtract")) ||
      !numeric::has_axis(call) || !x.interval.includes(0) || numeric::is_numpy(x.tensor) ||
      x.tensor->requires_grad != program::Truth::yes) {
    return;
  }
  report.add(call.span, "the gradient of a norm is NaN where its argument is 0")
      .label("the difference of two equal vectors is 0")
      .help("write `tf.sqrt(tf.reduce_sum(tf.square(d), axis=1) + 1e-8)`")
      .type(numeric::type_of(program, call))
      .cause(&call);
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    check_division(program, call, report);
    check_gradient(program, call, report);
  }
}

} // namespace

extern const Rule division_by_norm{
    .name = "division-by-norm",
    .summary = "Finds normalisation by a length that may be 0, and norms without a gradient at 0",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = numeric::k_known_formula,
    .check = check,
};

} // namespace faultline::rules
