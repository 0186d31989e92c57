#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::rules {

using program::Interval;

namespace {

bool is_finite(const Interval& values)
{
  return values.is_known() && std::isfinite(values.low()) && std::isfinite(values.high());
}

bool may_exceed(const Interval& values, double limit)
{
  return values.is_known() && (values.high() > limit || values.low() < -limit);
}

bool accumulates(const Call& call)
{
  for (const std::string_view op : {"reduce_sum",
                                    "reduce_prod",
                                    "cumsum",
                                    "matmul",
                                    "square",
                                    "mul",
                                    "pow",
                                    "cast",
                                    "conv",
                                    "dense"}) {
    if (call.is(op)) {
      return true;
    }
  }
  return false;
}

// Bounds of what goes in are known and fit, and the number of terms is known, so that the bounds of
// the result are real.
bool has_known_inputs(const Call& call, double limit)
{
  const std::vector<Tensor*> inputs = call.inputs();
  return !inputs.empty() && std::ranges::all_of(inputs, [&](const Tensor* input) {
    const bool is_sized = !call.has(program::k_reduction) || input->shape.elements().constant();
    return is_finite(input->interval) && is_sized &&
           (call.is("cast") || !may_exceed(input->interval, limit));
  });
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Tensor* const result = numeric::result_of(call);
    if (result == nullptr || !result->dtype.is_floating() || !accumulates(call)) {
      continue;
    }
    const double limit = numeric::float_range(result).huge;
    // An infinite bound says that there is none, not that it is reached.
    if (!is_finite(result->interval) || !may_exceed(result->interval, limit) ||
        !has_known_inputs(call, limit)) {
      continue;
    }
    const bool certain = result->interval.low() > limit || result->interval.high() < -limit;
    report
        .add(call.span,
             format("the result may reach {:g}, but {} ends at {:g}",
                    std::max(std::abs(result->interval.low()), std::abs(result->interval.high())),
                    result->dtype.text(),
                    limit))
        .label("becomes inf")
        .help("scale the values first, or accumulate in float32")
        .severity(numeric::severity_of(certain))
        .type(numeric::type_of(program, call))
        .cause(&call);
  }
}

} // namespace

extern const Rule accumulated_overflow{
    .name = "accumulated-overflow",
    .summary = "Finds sums and products that do not fit their element type",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
