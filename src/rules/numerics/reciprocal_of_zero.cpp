#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

static bool is_reciprocal(const Call& call)
{
  return call.is("reciprocal") ||
         (call.is("pow") && numeric::number_in(numeric::operand(call, 1).value) == -1.0);
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Operand x = is_reciprocal(call) ? numeric::operand(call, 0) : Operand();
    if (x.tensor == nullptr || !numeric::reaches_zero(x)) {
      continue;
    }
    const bool certain = numeric::is_zero(x);
    const bool may_vanish = numeric::may_learn(x.tensor) &&
                            numeric::depends_on_activations(x.tensor) &&
                            !numeric::is_guarded(program, call, x.tensor);
    if (!certain && !may_vanish) {
      continue;
    }
    report.add(x.span, format("reciprocal of {}", numeric::values_in(x.interval)))
        .label(certain ? "is 0" : "may be 0")
        .help("add a small constant to what is not negative, or take `maximum(x, eps)` first")
        .severity(numeric::severity_of(certain))
        .type(numeric::type_of(program, call))
        .cause(numeric::held(x.tensor));
  }
}

extern const Rule reciprocal_of_zero{
    .name = "reciprocal-of-zero",
    .summary = "Finds reciprocals of values that may be 0",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
