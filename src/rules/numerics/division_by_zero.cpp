#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

// `"loss %f" % loss` is text.
static bool is_division(const Call& call)
{
  const Operand dividend = numeric::operand(call, 0);
  return call.is("div") || call.is("floor_div") ||
         (call.is("mod") && (dividend.tensor != nullptr || dividend.interval.is_known()));
}

// Lengths, deviations, counts and sums of exponentials have rules of their own.
static bool has_own_rule(const Call& division, const Tensor* divisor)
{
  return numeric::normed(divisor) != nullptr || numeric::deviation_source(divisor) != nullptr ||
         numeric::mask_source(divisor) != nullptr ||
         numeric::hand_written_softmax(division) != nullptr;
}

// Every element would have to vanish at once.
static bool is_sum_of_probabilities(const Tensor* tensor)
{
  const Call* const sum = numeric::maker(tensor);
  return sum != nullptr && (sum->is("reduce_sum") || sum->is("reduce_mean")) &&
         numeric::probability_source(numeric::operand(*sum, 0).tensor) != nullptr;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Operand divisor = is_division(call) ? numeric::operand(call, 1) : Operand();
    if (divisor.value == nullptr || !numeric::reaches_zero(divisor)) {
      continue;
    }
    const bool certain = numeric::is_zero(divisor) && !divisor.value->assumed;
    const bool may_vanish =
        numeric::may_learn(divisor.tensor) && numeric::depends_on_activations(divisor.tensor) &&
        !is_sum_of_probabilities(divisor.tensor) && !has_own_rule(call, divisor.tensor) &&
        !numeric::is_guarded(program, call, divisor.tensor);
    if (!certain && !may_vanish) {
      continue;
    }
    report.add(divisor.span, format("division by {}", numeric::values_in(divisor.interval)))
        .label(certain ? "is 0" : "may be 0")
        .help("keep it away from 0: add a small constant to what is not negative, take "
              "`maximum(d, eps)`, or divide with `tf.math.divide_no_nan`")
        .severity(numeric::severity_of(certain))
        .type(numeric::type_of(program, call))
        .cause(divisor.tensor != nullptr ? static_cast<const void*>(numeric::held(divisor.tensor))
                                         : &call);
  }
}

extern const Rule division_by_zero{
    .name = "division-by-zero",
    .summary = "Finds divisions of tensors by values that may be 0",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
