#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static bool normalises(const LossUse& use)
{
  return use.wants == LossInput::logits &&
         (is_categorical(use.kind) || use.kind == LossKind::binary);
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    if (use.framework == "torch" || !normalises(use)) {
      continue; // DL213 and DL215 speak about PyTorch
    }
    const Call* squash = value_producer(use.prediction);
    if (squash == nullptr || !is_squashing(*squash)) {
      continue;
    }
    const bool is_call = use.model == nullptr && !use.prediction_span.empty();
    Draft& draft = report
                       .add(is_call ? use.prediction_span : use.span,
                            "probabilities for a loss that expects logits and squashes them again")
                       .label(format("already squashed by `{}`", squash->op()))
                       .help("leave the activation out, or use the loss for probabilities")
                       .cause(&use);
    if (!is_call || !use.prediction_span.contains(squash->span)) {
      draft.note(squash->span, format("`{}` is applied here", squash->op()));
    }
  }
}

extern const Rule probabilities_into_logits_loss{
    .name = "probabilities-into-logits-loss",
    .summary = "Finds a softmax or sigmoid in front of a loss with `from_logits=True`",
    .applies = "keras tf1 tf2",
    .type = "model/layers/missing-redundant-wrong-layer/redundant-softmax-layer",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
