#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/bias.hpp"

namespace faultline::rules {

// Pooling and moving elements leave a constant that was added to a feature constant.
static bool keeps_bias(const Call& call)
{
  return is_pooling(call) || call.has(program::k_reshaping) || call.is("linear") ||
         call.is("identity");
}

// The layer whose output, and nothing else of it, is normalised.
static const Call* normalised_layer(const Program& program, const Call& norm)
{
  const Call* at = &norm;
  while (at != nullptr) {
    const Tensor* input = data_input(*at);
    if (input == nullptr || uses_of(program, input).size() > 1) {
      return nullptr;
    }
    at = call_before(*at);
    if (at != nullptr && is_mixing(*at)) {
      return at;
    }
    if (at != nullptr && !keeps_bias(*at)) {
      return nullptr;
    }
  }
  return nullptr;
}

static void check(const Program& program, Reporter& report)
{
  if (!is_trained(program)) {
    return;
  }
  for (const Call& call : program.calls()) {
    const Call* layer = call.is("batch_norm") ? normalised_layer(program, call) : nullptr;
    if (layer == nullptr || !has_bias(*layer)) {
      continue;
    }
    const Call& made = constructor_of(*layer);
    Draft& draft = report
                       .add(made.span,
                            format("the bias of `{}` has no effect: `{}` subtracts it again",
                                   written(program, *layer),
                                   written(program, call)))
                       .note(call.span, "normalised here")
                       .help(format("pass `{}`", no_bias(*layer)));
    offer_no_bias(program, *layer, draft);
  }
}

extern const Rule bias_before_batch_norm{
    .name = "bias-before-batch-norm",
    .summary = "Finds a bias that the batch normalisation behind it subtracts again",
    .applies = "any",
    .type = "model/model-type-and-properties/suboptimal-network-structure",
    .fix_pattern = "neural-connection",
    .severity = Severity::info,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
