#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

namespace {

// A mask that a network decides on, so that nothing may be left of it. What is compared comes from
// layers; masks over targets and padding always keep something.
const Call* decided_by_network(const Call* comparison)
{
  if (comparison == nullptr) {
    return nullptr;
  }
  for (const size_t n : {0, 1}) {
    const Operand side = numeric::operand(*comparison, n);
    const Operand other = numeric::operand(*comparison, 1 - n);
    if (side.tensor != nullptr && other.tensor == nullptr &&
        numeric::depends_on_activations(side.tensor)) {
      return comparison;
    }
  }
  return nullptr;
}

// The mask that chose the elements of `selected`; null if it holds all of them.
const Tensor* selecting_mask(const Tensor* selected)
{
  const Call* const call = selected != nullptr ? selected->producer : nullptr;
  if (call == nullptr || !(call->is("slice") || call->is("gather"))) {
    return nullptr;
  }
  const Tensor* const index = numeric::operand(*call, 1).tensor;
  return index != nullptr && index->dtype == program::DType(program::DType::Kind::boolean)
             ? index
             : nullptr;
}

void check_mean(const Program& program, const Call& call, Reporter& report)
{
  const bool averages = call.is("reduce_mean") || call.is("reduce_std") || call.is("reduce_var");
  const Operand x = averages ? numeric::operand(call, 0) : Operand();
  const Call* const comparison = decided_by_network(numeric::mask_source(selecting_mask(x.tensor)));
  if (comparison == nullptr || !numeric::may_learn(numeric::result_of(call))) {
    return;
  }
  report.add(call.span, "mean of a selection that may be empty")
      .label("the mean of nothing is NaN")
      .note(comparison->span, "what is selected depends on the network's output")
      .help("divide the sum by the number of selected elements, at least 1: "
            "`(x * mask).sum() / mask.sum().clamp(min=1)`")
      .type(numeric::type_of(program, call))
      .cause(&call);
}

void check_division(const Program& program, const Call& call, Reporter& report)
{
  const Operand count = call.is("div") ? numeric::operand(call, 1) : Operand();
  const Call* const sum = numeric::maker(count.tensor);
  if (sum == nullptr || !sum->is("reduce_sum")) {
    return;
  }
  const Call* const comparison = decided_by_network(numeric::mask_source(count.tensor));
  if (comparison == nullptr || !numeric::may_learn(numeric::result_of(call)) ||
      numeric::is_guarded(program, call, count.tensor)) {
    return;
  }
  report.add(count.span, "division by the size of a selection that may be empty")
      .label("may be 0")
      .note(comparison->span, "what is selected depends on the network's output")
      .help("count at least one: `mask.sum().clamp(min=1)`, `tf.maximum(count, 1.0)`, or divide "
            "with `tf.math.divide_no_nan`")
      .type(numeric::type_of(program, call))
      .cause(numeric::held(count.tensor));
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    check_mean(program, call, report);
    check_division(program, call, report);
  }
}

} // namespace

extern const Rule empty_selection{
    .name = "empty-selection",
    .summary = "Finds means over selections that may be empty",
    .applies = "any",
    .type = "training/loss-function/wrong-loss-function-calculation",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = numeric::k_known_formula,
    .check = check,
};

} // namespace faultline::rules
