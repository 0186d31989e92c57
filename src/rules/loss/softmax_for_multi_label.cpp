#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Tensor* labels = labels_of(use);
    if (labels == nullptr || labels->encoding != program::Encoding::multi_hot ||
        use.kind != LossKind::categorical) {
      continue;
    }
    const Call* head = value_producer(use.prediction);
    const bool is_softmax = head != nullptr && head->is("softmax");
    if (!is_softmax && use.wants != LossInput::logits) {
      continue;
    }
    const Span place = is_softmax ? head->span : use.span;
    Draft& draft = report.add(place, "softmax for labels of which several hold at once")
                       .label("its outputs compete: they sum to 1")
                       .help("use a sigmoid for each label and binary cross entropy")
                       .cause(&use);
    if (place != use.span) {
      draft.note(use.span, format("the loss is `{}`", loss_text(program, use)));
    }
    if (!labels->origin.empty()) {
      draft.note(labels->origin, "several labels hold at once");
    }
  }
}

extern const Rule softmax_for_multi_label{
    .name = "softmax-for-multi-label",
    .summary = "Finds a softmax with categorical cross entropy on labels of which several hold at "
               "once",
    .applies = "any",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = 12,
    .check = check,
};

} // namespace faultline::rules
