#include "program/values/walk.hpp"
#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

namespace {

// `y * log(p)`, a minus sign before the logarithm included: the call that multiplies; null if none.
const Call* product_with_target(const Program& program, const Tensor* logarithm)
{
  const Call* product = nullptr;
  program::any_reachable(logarithm, [&](const Tensor& factor, const auto& add) {
    for (const Call* use : program.consumers(&factor)) {
      if (use->is("neg")) {
        add(numeric::result_of(*use));
      }
      if (!use->is("mul") && !use->is("multiply")) {
        continue;
      }
      const bool is_second = numeric::operand(*use, 1).tensor == &factor;
      const numeric::Operand target = numeric::operand(*use, is_second ? 0 : 1);
      // Weights of an entropy come from the network too; a number only scales.
      if (target.tensor != nullptr && target.tensor->requires_grad != program::Truth::yes) {
        product = use;
        return true;
      }
    }
    return false;
  });
  return product;
}

std::string_view advice(const Call& logarithm, const Call* squash)
{
  const bool is_binary = squash != nullptr && squash->is("sigmoid");
  if (numeric::is_torch(logarithm)) {
    return is_binary ? "pass the raw scores to `F.binary_cross_entropy_with_logits`"
                     : "pass the raw scores to `F.cross_entropy`";
  }
  return is_binary ? "pass the raw scores to `tf.nn.sigmoid_cross_entropy_with_logits`"
                   : "pass the raw scores to `tf.nn.softmax_cross_entropy_with_logits`";
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const auto p = numeric::unsafe_logarithm(program, call);
    if (!p || numeric::complemented(p->tensor) != nullptr ||
        numeric::hand_written_logsumexp(call) != nullptr ||
        product_with_target(program, numeric::result_of(call)) == nullptr ||
        !numeric::depends_on_activations(p->tensor)) {
      continue;
    }
    const Call* const squash = numeric::probability_source(p->tensor);
    Draft& draft =
        report
            .add(p->span,
                 squash != nullptr
                     ? std::string("cross entropy written out with probabilities that may be 0")
                     : format("cross entropy written out with {}", numeric::values_in(p->interval)))
            .label(p->interval.low() < 0 ? "may be negative: the logarithm is NaN"
                                         : "0 * log(0) is NaN")
            .help(std::string(advice(call, squash)))
            .severity(numeric::severity_of(p->interval.high() <= 0))
            .type("training/loss-function/wrong-loss-function-calculation")
            .cause(numeric::danger_origin(p->tensor));
    if (squash != nullptr && !call.span.contains(squash->span)) {
      draft.note(
          squash->span,
          format("`{}` underflows to 0 for confident predictions", written(program, *squash)));
    }
  }
}

} // namespace

extern const Rule hand_written_cross_entropy{
    .name = "hand-written-cross-entropy",
    .summary = "Finds cross entropies written as y * log(p) where p may be 0",
    .applies = "any",
    .type = "training/loss-function/wrong-loss-function-calculation",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .rank = numeric::k_known_formula,
    .check = check,
};

} // namespace faultline::rules
