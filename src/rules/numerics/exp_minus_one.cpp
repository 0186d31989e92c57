#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

namespace {

// `np.exp(x) - 1` becomes `np.expm1(x)`. Keras' backend has no such name.
void offer_fix(const Program& program,
               const Call& difference,
               const Call& exponential,
               Draft& draft)
{
  const std::string_view callee = program.text(exponential.callee);
  if (numeric::operand(difference, 0).span != exponential.span || exponential.self != nullptr ||
      exponential.arguments.empty() || exponential.name.starts_with("keras") ||
      !callee.ends_with("exp") || difference.callee != difference.span) {
    return;
  }
  draft
      .replace(difference.span,
               format("{}m1({})", callee, program.text(exponential.arguments.front().span)))
      .safe("use `expm1`");
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!call.is("sub") && !call.is("subtract")) {
      continue;
    }
    const numeric::Operand a = numeric::operand(call, 0);
    const Call* const exponential = numeric::maker(a.tensor);
    if (exponential == nullptr || !exponential->is("exp") ||
        numeric::number_in(numeric::operand(call, 1).value) != 1.0) {
      continue;
    }
    Draft& draft = report.add(call.span, "`exp(x) - 1` loses the digits of small values")
                       .help("use `expm1(x)`")
                       .cause(&call);
    offer_fix(program, call, *exponential, draft);
  }
}

} // namespace

extern const Rule exp_minus_one{
    .name = "exp-minus-one",
    .summary = "Finds exp(x) - 1, which loses the digits of small x",
    .applies = "any",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::info,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
