#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Operand x = call.is("rsqrt") ? numeric::operand(call, 0) : Operand();
    if (x.tensor == nullptr || !x.interval.is_known() ||
        x.interval.low() > numeric::float_range(x.tensor).tiny || !numeric::may_learn(x.tensor) ||
        !numeric::depends_on_activations(x.tensor) ||
        numeric::is_guarded(program, call, x.tensor)) {
      continue;
    }
    report.add(x.span, format("inverse square root of {}", numeric::values_in(x.interval)))
        .label(x.interval.low() < 0 ? "may be negative: the result is NaN"
                                    : "may be 0: the result is inf")
        .help("add a small constant inside the root: `rsqrt(x + 1e-5)`")
        .severity(numeric::severity_of(x.interval.high() <= 0))
        .type(numeric::type_of(program, call))
        .cause(numeric::held(x.tensor));
  }
}

extern const Rule rsqrt_of_zero{
    .name = "rsqrt-of-zero",
    .summary = "Finds inverse square roots of values that may be 0 or negative",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
