#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const auto x = numeric::unsafe_logarithm(program, call);
    const Tensor* const p = x ? numeric::complemented(x->tensor) : nullptr;
    const Call* const squash = numeric::probability_source(p);
    if (squash == nullptr) {
      continue;
    }
    const std::string name = written(program, *squash);
    Draft& draft = report.add(x->span, "logarithm of 1 - p, which is 0 once p rounds to 1")
                       .label(format("`{}` gives exactly 1 for scores above 17", name))
                       .help(numeric::is_torch(call)
                                 ? "use `F.logsigmoid(-scores)`, or pass the raw scores to "
                                   "`F.binary_cross_entropy_with_logits`"
                                 : "use `tf.math.log_sigmoid(-scores)`, or pass the raw scores to "
                                   "`tf.nn.sigmoid_cross_entropy_with_logits`")
                       .type(numeric::type_of(program, call))
                       .cause(numeric::danger_origin(x->tensor));
    if (!call.span.contains(squash->span)) {
      draft.note(squash->span, format("`{}` is applied here", name));
    }
  }
}

extern const Rule log_of_complement{
    .name = "log-of-complement",
    .summary = "Finds log(1 - p) of probabilities that may round to 1",
    .applies = "any",
    .type = "training/loss-function/wrong-loss-function-calculation",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .rank = numeric::k_known_complement,
    .check = check,
};

} // namespace faultline::rules
