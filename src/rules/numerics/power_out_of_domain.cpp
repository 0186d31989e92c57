#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <cmath>

namespace faultline::rules {

using numeric::Operand;

namespace {

struct Danger {
  std::string_view why;
  bool certain = false;
};

bool is_whole(double value)
{
  return std::floor(value) == value;
}

// 0.5 and -1 are roots and reciprocals, which have rules of their own.
std::optional<Danger> danger_of(const Operand& base, const Operand& exponent)
{
  const numeric::FloatRange range = numeric::float_range(base.tensor);
  const bool may_be_negative = base.interval.low() < -range.tiny;
  const auto power = numeric::number_in(exponent.value);
  if (!power) {
    const bool is_learned =
        exponent.tensor != nullptr && exponent.tensor->requires_grad == program::Truth::yes;
    return is_learned && may_be_negative
               ? std::optional(Danger{"a fractional power of negative values is NaN"})
               : std::nullopt;
  }
  if (*power < 0 && *power != -1 && numeric::reaches_zero(base)) {
    return Danger{"a negative power of 0 is inf", numeric::is_zero(base)};
  }
  if (!is_whole(*power) && *power != 0.5 && may_be_negative) {
    return Danger{"a fractional power of negative values is NaN",
                  base.interval.high() < -range.tiny};
  }
  const double largest = std::max(std::abs(base.interval.low()), std::abs(base.interval.high()));
  if (*power > 1 && std::isfinite(largest) && largest > 1 &&
      *power * std::log(largest) >= range.log_huge) {
    return Danger{"the result overflows"};
  }
  return std::nullopt;
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Operand base = call.is("pow") ? numeric::operand(call, 0) : Operand();
    if (base.tensor == nullptr || !base.interval.is_known() ||
        !numeric::may_learn(numeric::result_of(call)) ||
        !numeric::depends_on_activations(base.tensor) ||
        numeric::is_guarded(program, call, base.tensor)) {
      continue;
    }
    const auto danger = danger_of(base, numeric::operand(call, 1));
    if (!danger) {
      continue;
    }
    report.add(call.span, format("power of {}", numeric::values_in(base.interval)))
        .label(std::string(danger->why))
        .help("bound the base with `clamp`, `clip` or `maximum` first")
        .severity(numeric::severity_of(danger->certain))
        .type(numeric::type_of(program, call))
        .cause(&call);
  }
}

} // namespace

extern const Rule power_out_of_domain{
    .name = "power-out-of-domain",
    .summary = "Finds powers that are NaN or inf for some of the values their base takes",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
