#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// Log-probabilities are never positive; a small epsilon under the logarithm is forgiven.
static bool are_no_log_probabilities(const Tensor& prediction)
{
  constexpr double k_epsilon = 0.1;
  return prediction.interval.is_known() && prediction.interval.high() > k_epsilon;
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    if (use.framework != "torch" || use.kind != LossKind::nll ||
        use.wants != LossInput::log_probabilities || use.prediction == nullptr ||
        !are_no_log_probabilities(*use.prediction)) {
      continue;
    }
    const Call* head = value_producer(use.prediction);
    if (head == nullptr || head->is("sub") || head->is("log")) {
      continue; // a normalisation by hand
    }
    const bool is_softmax = head->is("softmax") || head->is("sigmoid");
    Draft& draft =
        report
            .add(use.prediction_span,
                 format("{} passed to a loss that expects log-probabilities",
                        is_softmax ? "probabilities" : "raw scores"))
            .label(format("values in {}", use.prediction->interval.text()))
            .help(is_softmax ? "use `log_softmax` instead of softmax"
                             : "apply `log_softmax` first, or use cross entropy on the scores")
            .cause(&use);
    if (!use.prediction_span.contains(head->span)) {
      draft.note(head->span, format("made by `{}`", written(program, *head)));
    }
  }
}

extern const Rule nll_without_log_probabilities{
    .name = "nll-without-log-probabilities",
    .summary = "Finds probabilities or raw scores passed to PyTorch's negative log-likelihood",
    .applies = "torch",
    .type = "model/layers/activation-function/missing-softmax-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
