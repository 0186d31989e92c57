#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// The loss sees `f(z)` written in place: what to pass instead is `z`.
static void offer_fix(const Program& program, const LossUse& use, const Call& squash, Draft& draft)
{
  if (squash.span != use.prediction_span || squash.layer != nullptr || squash.arguments.empty()) {
    return;
  }
  const program::Argument& input = squash.arguments.front();
  if (input.given && use.prediction_span.contains(input.span)) {
    draft.replace(squash.span, std::string(program.text(input.span))).unsafe("pass the raw scores");
  }
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const bool is_cross_entropy = is_categorical(use.kind);
    if (use.framework != "torch" || !is_cross_entropy || use.wants != program::LossInput::logits) {
      continue;
    }
    const Call* squash = value_producer(use.prediction);
    if (squash == nullptr || !is_squashing(*squash)) {
      continue;
    }
    const std::string name = written(program, *squash);
    Draft& draft =
        report.add(use.prediction_span, "probabilities passed to a loss that expects logits")
            .label(format("already normalised by `{}`", name))
            .help("pass the raw scores and apply softmax only when predicting")
            .cause(&use);
    if (!use.prediction_span.contains(squash->span)) {
      draft.note(squash->span, format("`{}` is applied here", name));
    }
    offer_fix(program, use, *squash, draft);
  }
}

extern const Rule probabilities_into_cross_entropy{
    .name = "probabilities-into-cross-entropy",
    .summary = "Finds probabilities passed to a PyTorch cross entropy, which expects logits",
    .applies = "torch",
    .type = "model/layers/missing-redundant-wrong-layer/redundant-softmax-layer",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
