#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/head.hpp"

namespace faultline::rules {

// The labels name one class of several, one-hot or by index.
static bool have_one_class(const LossUse& use)
{
  const auto* labels = program::as<Tensor>(use.target);
  return labels != nullptr &&
         (labels->encoding == program::Encoding::one_hot ||
          (labels->encoding == program::Encoding::class_index && labels->classes > 2));
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const auto width = output_width(use);
    if (use.kind != program::LossKind::binary || !width || *width <= 2 || !have_one_class(use)) {
      continue;
    }
    // Raw scores or a sigmoid each; a softmax is DL114.
    const Head head = head_of(use.prediction);
    const bool is_each_by_itself = use.wants == program::LossInput::logits
                                       ? head.known
                                       : head.ends_in("sigmoid") || head.ends_in("hard_sigmoid");
    if (!is_each_by_itself) {
      continue;
    }
    Draft& draft = report.add(use.span,
                              format("a binary loss decides on {} outputs one by one, but each "
                                     "label names one class",
                                     *width));
    draft.help("use a categorical cross entropy, so that the classes compete").cause(&use);
    const auto* labels = program::as<Tensor>(use.target);
    if (!labels->origin.empty()) {
      draft.note(labels->origin, "the labels come from here");
    }
  }
}

extern const Rule binary_loss_for_one_hot_labels{
    .name = "binary-loss-for-one-hot-labels",
    .summary = "Finds a binary cross entropy on several outputs whose labels name one class",
    .applies = "any",
    .type = "training/loss-function/wrong-selection-of-loss-function",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = 2,
    .check = check,
};

} // namespace faultline::rules
