#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/bias.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  if (!is_trained(program)) {
    return;
  }
  for (const Call& call : program.calls()) {
    const Call* activation = call.is("batch_norm") ? call_before(call) : nullptr;
    while (activation != nullptr && is_pooling(*activation)) {
      activation = call_before(*activation);
    }
    if (activation == nullptr || !is_nonlinear(*activation)) {
      continue;
    }
    const Call* layer = call_before(*activation);
    if (layer != nullptr && is_mixing(*layer) && has_bias(*layer)) {
      report
          .add(constructor_of(*layer).span,
               format("the bias of `{}` is needed only because `{}` comes behind the activation",
                      written(program, *layer),
                      written(program, call)))
          .note(call.span, "normalised here")
          .help(format("normalise in front of the activation and pass `{}`", no_bias(*layer)));
    }
  }
}

extern const Rule bias_before_normalised_activation{
    .name = "bias-before-normalised-activation",
    .summary = "Finds a bias that batch normalisation in front of the activation would replace",
    .applies = "any",
    .type = "model/model-type-and-properties/suboptimal-network-structure",
    .fix_pattern = "neural-connection",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .status = Status::preview,
    .check = check,
};

} // namespace faultline::rules
