#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::rules {

namespace {

// mean(x ** 2): x; null if `tensor` is none.
const Tensor* mean_of_square(const Tensor* tensor)
{
  const Call* const mean = numeric::maker(tensor);
  return mean != nullptr && mean->is("reduce_mean")
             ? numeric::squared(numeric::operand(*mean, 0).tensor)
             : nullptr;
}

// mean(x) ** 2: x; null if `tensor` is none.
const Tensor* square_of_mean(const Tensor* tensor)
{
  const Call* const mean = numeric::maker(numeric::squared(tensor));
  return mean != nullptr && mean->is("reduce_mean") ? numeric::operand(*mean, 0).tensor : nullptr;
}

// A function that is NaN for negative numbers takes the difference as it is.
bool is_rooted(const Program& program, const Tensor* difference)
{
  return std::ranges::any_of(program.consumers(difference), [](const Call* use) {
    const double power = numeric::number_in(numeric::operand(*use, 1).value).value_or(1);
    return use->is("sqrt") || use->is("rsqrt") || numeric::is_logarithm(*use) ||
           (use->is("pow") && std::floor(power) != power);
  });
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!call.is("sub") && !call.is("subtract")) {
      continue;
    }
    const Tensor* const x = mean_of_square(numeric::operand(call, 0).tensor);
    const Tensor* const y = square_of_mean(numeric::operand(call, 1).tensor);
    if (x == nullptr || y == nullptr || numeric::held(x) != numeric::held(y)) {
      continue;
    }
    const Tensor* const difference = numeric::result_of(call);
    const bool is_nan = is_rooted(program, difference);
    report.add(call.span, "variance as the difference of two large numbers")
        .label(is_nan ? "rounding makes it negative, and the root is NaN"
                      : "rounding may make it negative")
        .help("use the library's `var`, or `mean((x - mean(x)) ** 2)`")
        .severity(is_nan ? Severity::warning : Severity::info)
        .type(numeric::type_of(program, call))
        .cause(numeric::held(difference));
  }
}

} // namespace

extern const Rule variance_by_cancellation{
    .name = "variance-by-cancellation",
    .summary = "Finds variances computed as mean(x ** 2) - mean(x) ** 2",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = numeric::k_known_formula,
    .check = check,
};

} // namespace faultline::rules
