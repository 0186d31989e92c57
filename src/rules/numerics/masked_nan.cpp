#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

namespace {

// What must not be 0 (or negative) in `call`; without a value if `call` is safe everywhere.
Operand critical_operand(const Call& call)
{
  if (call.is("div")) {
    return numeric::operand(call, 1);
  }
  for (const std::string_view op :
       {"log", "log2", "log10", "sqrt", "rsqrt", "reciprocal", "acos", "asin"}) {
    if (call.is(op)) {
      return numeric::operand(call, 0);
    }
  }
  const double power = numeric::number_in(numeric::operand(call, 1).value).value_or(1);
  return call.is("pow") && (power < 0 || (power > 0 && power < 1)) ? numeric::operand(call, 0)
                                                                   : Operand();
}

// The condition tells the bad values of `x` from the good ones.
bool tests(const Tensor* condition, const Tensor* x)
{
  const Call* const comparison = numeric::mask_source(condition);
  if (comparison == nullptr || x == nullptr) {
    return false;
  }
  for (const size_t n : {0, 1}) {
    const Operand side = numeric::operand(*comparison, n);
    const auto limit = numeric::number_in(numeric::operand(*comparison, 1 - n).value);
    if (side.tensor != nullptr && numeric::held(side.tensor) == numeric::held(x) && limit &&
        *limit >= 0 && *limit < 1) {
      return true;
    }
  }
  return false;
}

void report_masked(const Program& program,
                   const Call& call,
                   const Call& unsafe,
                   std::string_view why,
                   Reporter& report)
{
  const Tensor* const x = critical_operand(unsafe).tensor;
  report.add(call.span, "a mask that does not keep NaN away")
      .label(std::string(why))
      .note(unsafe.span, "computed for all elements, the bad ones too")
      .help("replace the bad elements before the function: `f(where(ok, x, 1))`, then choose")
      .severity(x->requires_grad == program::Truth::yes ? Severity::warning : Severity::info)
      .type(numeric::type_of(program, call))
      .cause(unsafe.is("div") ? static_cast<const void*>(numeric::held(x))
                              : numeric::danger_origin(x));
}

void check_where(const Program& program, const Call& call, Reporter& report)
{
  // torch.where(c, a, b) and a.where(c, b).
  for (const size_t condition : {0, 1}) {
    const Tensor* const chosen_by = numeric::operand(call, condition).tensor;
    if (numeric::mask_source(chosen_by) == nullptr) {
      continue;
    }
    for (size_t branch = 0; branch < 3; ++branch) {
      const Call* const unsafe =
          branch != condition ? numeric::maker(numeric::operand(call, branch).tensor) : nullptr;
      if (unsafe != nullptr && tests(chosen_by, critical_operand(*unsafe).tensor)) {
        report_masked(program,
                      call,
                      *unsafe,
                      "the gradient of what is not chosen is 0 * inf, which is NaN",
                      report);
      }
    }
    return;
  }
}

void check_product(const Program& program, const Call& call, Reporter& report)
{
  for (const size_t n : {0, 1}) {
    const Call* const unsafe = numeric::maker(numeric::operand(call, n).tensor);
    if (unsafe != nullptr &&
        tests(numeric::operand(call, 1 - n).tensor, critical_operand(*unsafe).tensor)) {
      report_masked(program, call, *unsafe, "0 * inf and 0 * NaN are NaN", report);
    }
  }
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!numeric::may_learn(numeric::result_of(call))) {
      continue;
    }
    if (call.is("where")) {
      check_where(program, call, report);
    } else if (call.is("mul") || call.is("multiply")) {
      check_product(program, call, report);
    }
  }
}

} // namespace

extern const Rule masked_nan{
    .name = "masked-nan",
    .summary = "Finds masks behind a function that is NaN or infinite where the mask is off",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = numeric::k_broken_guard,
    .check = check,
};

} // namespace faultline::rules
