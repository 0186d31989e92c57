#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static bool leaves_unit_interval(const Tensor& prediction)
{
  constexpr double k_slack = 1e-3;
  const program::Interval& values = prediction.interval;
  return values.is_known() && (values.low() < -k_slack || values.high() > 1 + k_slack);
}

static void check_probabilities(const Program& program, const LossUse& use, Reporter& report)
{
  const Call* head = value_producer(use.prediction);
  if (head == nullptr || !leaves_unit_interval(*use.prediction)) {
    return;
  }
  const bool is_raw = head->has(program::k_learning);
  Draft& draft = report
                     .add(use.prediction_span,
                          is_raw ? std::string("raw scores passed to a loss that expects "
                                               "probabilities")
                                 : format("values in {} passed to a loss that expects "
                                          "probabilities",
                                          use.prediction->interval.text()))
                     .help("apply a sigmoid first, or use `BCEWithLogitsLoss`")
                     .cause(&use);
  if (!use.prediction_span.contains(head->span)) {
    draft.note(head->span, format("made by `{}`", written(program, *head)));
  }
}

static void check_scores(const Program& program, const LossUse& use, Reporter& report)
{
  const Call* squash = value_producer(use.prediction);
  if (squash == nullptr || !is_squashing(*squash)) {
    return;
  }
  const std::string name = written(program, *squash);
  Draft& draft =
      report.add(use.prediction_span, "probabilities passed to a loss that applies the sigmoid")
          .severity(Severity::warning)
          .label(format("already squashed by `{}`", name))
          .help("pass the raw scores, or use `BCELoss`")
          .cause(&use);
  if (!use.prediction_span.contains(squash->span)) {
    draft.note(squash->span, format("`{}` is applied here", name));
  }
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    if (use.framework != "torch" || use.kind != LossKind::binary || use.prediction == nullptr) {
      continue;
    }
    if (use.wants == LossInput::probabilities) {
      check_probabilities(program, use, report);
    } else if (use.wants == LossInput::logits) {
      check_scores(program, use, report);
    }
  }
}

extern const Rule binary_loss_for_other_input{
    .name = "binary-loss-for-other-input",
    .summary = "Finds raw scores passed to `BCELoss` and probabilities to `BCEWithLogitsLoss`",
    .applies = "torch",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
