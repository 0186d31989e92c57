#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <cmath>

namespace faultline::rules {

using numeric::Operand;
using program::Interval;

namespace {

// What is exponentiated, e ** x included; without a value if `call` is no exponential.
Operand exponent_of(const Call& call)
{
  for (const std::string_view op : {"exp", "expm1", "sinh", "cosh"}) {
    if (call.is(op)) {
      return numeric::operand(call, 0);
    }
  }
  if (call.is("pow")) {
    const auto base = numeric::number_in(numeric::operand(call, 0).value);
    Operand exponent = numeric::operand(call, 1);
    if (base && *base > 1 && exponent.tensor != nullptr) {
      exponent.interval = exponent.interval.times(Interval::point(std::log(*base)));
      return exponent;
    }
  }
  return {};
}

const Tensor* plus_number(const Program& program, const Tensor* tensor)
{
  for (const Call* use : program.consumers(tensor)) {
    const Tensor* const sum = numeric::result_of(*use);
    if (sum != nullptr && numeric::without_offset(sum) == tensor) {
      return sum;
    }
  }
  return tensor;
}

// Used by a formula that turns inf into NaN, in its value or in its gradient: log(1 + exp(x)),
// 1 / (1 + exp(-x)). Softmax and logsumexp have rules of their own.
enum class Formula { none, softplus, sigmoid, has_own_rule };

Formula formula_around(const Program& program, const Call& exponential)
{
  const Tensor* const result = numeric::result_of(exponential);
  for (const Call* use : program.consumers(result)) {
    if (numeric::hand_written_softmax(*use) != nullptr) {
      return Formula::has_own_rule;
    }
    if (use->is("log1p")) {
      return Formula::softplus;
    }
    const Tensor* const sum = numeric::result_of(*use);
    if (numeric::summed_exponential(sum) == &exponential) {
      for (const Call* outer : program.consumers(sum)) {
        if (numeric::hand_written_softmax(*outer) != nullptr ||
            numeric::hand_written_logsumexp(*outer) != nullptr) {
          return Formula::has_own_rule;
        }
      }
    }
  }
  const Tensor* const shifted = plus_number(program, result);
  for (const Call* use : program.consumers(shifted)) {
    if (shifted != result && numeric::is_logarithm(*use)) {
      return Formula::softplus;
    }
    if (shifted != result && use->is("div") && numeric::operand(*use, 1).tensor == shifted) {
      return Formula::sigmoid;
    }
  }
  return Formula::none;
}

// The output of a layer, perhaps scaled by numbers.
bool is_layer_output(const Tensor* tensor)
{
  for (int step = 0; step < 4; ++step) {
    const Call* const made_by = numeric::maker(tensor);
    if (made_by == nullptr) {
      return false;
    }
    if (made_by->has(program::k_learning)) {
      return true;
    }
    const Operand a = numeric::operand(*made_by, 0);
    const Operand b = numeric::operand(*made_by, 1);
    const bool is_scaled = (made_by->is("mul") || made_by->is("div") || made_by->is("add")) &&
                           (a.tensor == nullptr || b.tensor == nullptr);
    if (!is_scaled) {
      return false;
    }
    tensor = a.tensor != nullptr ? a.tensor : b.tensor;
  }
  return false;
}

std::optional<Severity> danger_of(const Call& call, const Operand& x, Formula formula)
{
  const bool learns = numeric::may_learn(numeric::result_of(call));
  if (x.interval.low() >= numeric::float_range(x.tensor).log_huge) {
    return learns || x.tensor->source != nullptr ? std::optional(Severity::error) : std::nullopt;
  }
  if (x.interval.high() < Interval::k_inf) {
    return learns || x.tensor->source != nullptr ? std::optional(Severity::warning) : std::nullopt;
  }
  if (!learns) {
    return std::nullopt;
  }
  if (formula == Formula::softplus || formula == Formula::sigmoid || x.interval.low() >= 0) {
    return Severity::warning;
  }
  return is_layer_output(x.tensor) ? std::optional(Severity::info) : std::nullopt;
}

std::string_view advice(Formula formula)
{
  return formula == Formula::softplus  ? "use the library's softplus, which does not overflow"
         : formula == Formula::sigmoid ? "use the library's sigmoid, whose gradient is finite"
                                       : "bound the argument from above with `clamp`, `clip` or "
                                         "`minimum`, or scale it";
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Operand x = exponent_of(call);
    if (x.tensor == nullptr || !x.interval.is_known() ||
        x.interval.high() < numeric::float_range(x.tensor).log_huge) {
      continue;
    }
    const Formula formula = formula_around(program, call);
    const auto severity = danger_of(call, x, formula);
    if (formula == Formula::has_own_rule || !severity) {
      continue;
    }
    report.add(x.span, format("`{}` of {}", written(program, call), numeric::values_in(x.interval)))
        .label(format("the result is inf from {:g} on",
                      std::floor(numeric::float_range(x.tensor).log_huge)))
        .help(std::string(advice(formula)))
        .severity(*severity)
        .type(numeric::type_of(program, call))
        .cause(&call);
  }
}

} // namespace

extern const Rule exp_overflow{
    .name = "exp-overflow",
    .summary = "Finds exponentials whose argument may be so large that they overflow",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
