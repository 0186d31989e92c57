#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/head.hpp"

namespace faultline::rules {

static bool is_multiclass(const LossUse& use)
{
  if (is_categorical(use.kind)) {
    return true;
  }
  // The log of each output by itself, of labels that name one class.
  const auto width = output_width(use);
  return use.kind == program::LossKind::binary && width && *width > 1 && has_one_hot_labels(use);
}

static bool is_wrong(const LossUse& use, const Head& head)
{
  // Several outputs between 0 and 1 are legal for the binary loss, and one output is another fault.
  const bool is_legal =
      head.ends_in("softmax") || (use.kind == program::LossKind::binary &&
                                  (head.ends_in("sigmoid") || head.ends_in("hard_sigmoid")));
  return head.known && !is_legal && output_width(use) != 1;
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Head head = head_of(use.prediction);
    if (use.framework == "torch" || use.wants != program::LossInput::probabilities ||
        !is_multiclass(use) || !is_wrong(use, head)) {
      continue;
    }
    report_wrong_head(program, use, head, "softmax", "probabilities", report);
  }
}

extern const Rule multiclass_head_without_softmax{
    .name = "multiclass-head-without-softmax",
    .summary = "Finds a cross entropy of probabilities on a model that does not end in a softmax",
    .applies = "keras tf1 tf2",
    .type = "model/layers/activation-function/missing-softmax-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
