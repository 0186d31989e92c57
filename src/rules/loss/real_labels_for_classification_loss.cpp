#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// Cross entropy with targets in [0, 1] is a legal choice for intensities and probabilities.
static bool may_be_probabilities(const Tensor& labels)
{
  return !labels.interval.is_known() || (labels.interval.low() >= 0 && labels.interval.high() <= 1);
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Tensor* labels = labels_of(use);
    if (labels == nullptr || !is_classifying(use.kind) ||
        labels->encoding != program::Encoding::real || may_be_probabilities(*labels)) {
      continue;
    }
    Draft& draft =
        report.add(use.span, format("{} for labels that are real numbers", words_for(use.kind)))
            .label(format("labels in {}", labels->interval.text()))
            .help("use a regression loss such as mean squared error, with a linear output")
            .cause(label_cause(use));
    if (labels->source != nullptr) {
      draft.note(format("`{}` is a regression data set", labels->source->name));
    } else if (!use.target_span.empty() && use.target_span != use.span) {
      draft.note(use.target_span, "the labels are passed here");
    }
    const std::string_view text = program.text(use.span);
    if (text.size() > 2 && (text.front() == '\'' || text.front() == '"')) {
      const std::string quote(1, text.front());
      draft.replace(use.span, quote + "mse" + quote).unsafe("use a regression loss");
    }
  }
}

extern const Rule real_labels_for_classification_loss{
    .name = "real-labels-for-classification-loss",
    .summary = "Finds a cross entropy whose labels are real numbers, as in regression",
    .applies = "any",
    .type = "training/loss-function/wrong-selection-of-loss-function",
    .fix_pattern = "loss-function",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 25,
    .check = check,
};

} // namespace faultline::rules
