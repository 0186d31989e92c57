#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const numeric::Operand x = numeric::operand(call, 0);
    constexpr double k_least = -1;
    if (!call.is("log1p") || x.tensor == nullptr || !x.interval.is_known() ||
        x.interval.low() > k_least || !numeric::may_learn(numeric::result_of(call)) ||
        numeric::is_chosen_by_condition(program, call)) {
      continue;
    }
    report.add(x.span, format("`{}` of {}", written(program, call), numeric::values_in(x.interval)))
        .label("may be -1 or less, where log(1 + x) is -inf or NaN")
        .help("keep it above -1 with `clamp`, `clip` or `maximum`")
        .severity(numeric::severity_of(x.interval.high() <= k_least))
        .type(numeric::type_of(program, call))
        .cause(numeric::danger_origin(x.tensor));
  }
}

extern const Rule log1p_of_minus_one{
    .name = "log1p-of-minus-one",
    .summary = "Finds log1p of values that may be -1 or less",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
