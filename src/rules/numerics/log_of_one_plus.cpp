#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

namespace {

// `np.log(1 + x)` written in one place becomes `np.log1p(x)`. Keras' backend has no such name.
void offer_fix(const Program& program, const Call& logarithm, const Call& sum, Draft& draft)
{
  const std::string_view callee = program.text(logarithm.callee);
  const bool is_plain = logarithm.self == nullptr && logarithm.arguments.size() >= 1 &&
                        logarithm.arguments.front().span == sum.span &&
                        !logarithm.name.starts_with("keras") && callee.ends_with("log");
  if (!is_plain) {
    return;
  }
  const size_t other = numeric::number_in(numeric::operand(sum, 0).value) == 1.0 ? 1 : 0;
  draft
      .replace(logarithm.span,
               format("{}1p({})", callee, program.text(numeric::operand(sum, other).span)))
      .safe("use `log1p`");
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const numeric::Operand argument = numeric::operand(call, 0);
    double offset = 0;
    const Tensor* const x = call.is("log") && argument.tensor != nullptr
                                ? numeric::without_offset(argument.tensor, &offset)
                                : nullptr;
    const Call* const sum = numeric::maker(argument.tensor);
    // Digits are lost near 0 only; log(1 + exp(x)) is softplus.
    const bool stays_away = x != nullptr && x->interval.is_known() && x->interval.low() >= 0.1;
    if (x == nullptr || offset != 1 || stays_away || x->dtype.is_integer() ||
        numeric::is_made_by(x, "exp")) {
      continue;
    }
    Draft& draft = report.add(call.span, "`log(1 + x)` loses the digits of small values")
                       .help("use `log1p(x)`")
                       .cause(&call);
    offer_fix(program, call, *sum, draft);
  }
}

} // namespace

extern const Rule log_of_one_plus{
    .name = "log-of-one-plus",
    .summary = "Finds log(1 + x), which loses the digits of small x",
    .applies = "any",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::info,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
