#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

namespace {

// class_weight={0: 0.0, 1: 1.0}: the samples of class 0 teach nothing.
void check_fit(const Call& call, Reporter& report)
{
  const program::Argument* const weights = call.given("class_weight");
  const auto* by_class = weights != nullptr ? program::as<program::Dict>(weights->value) : nullptr;
  if (by_class == nullptr) {
    return;
  }
  for (const auto& [key, weight] : by_class->items) {
    if (weight->assumed || numeric::number_in(weight) != 0.0) {
      continue;
    }
    const auto number = numeric::number_in(key);
    report
        .add(weights->span,
             number ? format("class {:g} has the weight 0", *number)
                    : std::string("a class has the weight 0"))
        .label("its samples are ignored")
        .help("leave the class out of the data, or give it a weight above 0")
        .cause(&call);
    return;
  }
}

// weight= and pos_weight= of torch's losses.
void check_loss(const Call& call, Reporter& report)
{
  for (const std::string_view name : {"weight", "pos_weight"}) {
    const program::Argument* const weight = call.given(name);
    if (weight == nullptr || !call.op().starts_with("loss.")) {
      continue;
    }
    const program::Interval values = numeric::interval_of(weight->value);
    const auto* tensor = program::as<Tensor>(weight->value);
    const bool is_infinite = tensor != nullptr && tensor->literal != nullptr &&
                             values.high() == numeric::Interval::k_inf;
    if (numeric::number_in(weight->value) == 0.0 || is_infinite) {
      report.add(weight->span, format("`{}` is {}", name, is_infinite ? "infinite" : "0"))
          .label(is_infinite ? "0 * inf is NaN" : "the mean is divided by a sum of 0")
          .help("use finite weights above 0")
          .severity(Severity::error)
          .cause(&call);
    }
  }
}

// 1 / bincount(y, minlength=k): a class without samples counts 0.
void check_counts(const Program& program, const Call& call, Reporter& report)
{
  const Operand counts = call.is("div") ? numeric::operand(call, 1) : Operand();
  const Call* const counted = numeric::maker(counts.tensor);
  if (counted == nullptr || !counted->name.ends_with("bincount") ||
      counted->given("minlength") == nullptr ||
      numeric::is_compared_with_zero(program, counts.tensor)) {
    return;
  }
  report.add(counts.span, "weights divided by counts that may be 0")
      .label("a class without samples has the count 0")
      .help("count at least one: `np.maximum(counts, 1)`, `counts.clamp(min=1)`")
      .cause(numeric::held(counts.tensor));
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    check_fit(call, report);
    check_loss(call, report);
    check_counts(program, call, report);
  }
}

} // namespace

extern const Rule vanishing_class_weight{
    .name = "vanishing-class-weight",
    .summary = "Finds class weights that are 0 or infinite, or divided by counts that may be 0",
    .applies = "any",
    .type = "training/loss-function/wrong-loss-function-calculation",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = numeric::k_known_formula,
    .check = check,
};

} // namespace faultline::rules
