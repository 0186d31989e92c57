#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/head.hpp"

namespace faultline::rules {

// One-hot labels ask for a softmax instead (DL108); a softmax has its own rules (DL110, DL114).
static bool is_wrong(const LossUse& use, const Head& head)
{
  const auto width = output_width(use);
  const bool is_multiclass = width && *width > 1 && has_one_hot_labels(use);
  return head.known && !is_multiclass && !head.ends_in("sigmoid") &&
         !head.ends_in("hard_sigmoid") && !head.ends_in("softmax");
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Head head = head_of(use.prediction);
    if (use.framework == "torch" || use.kind != program::LossKind::binary ||
        use.wants != program::LossInput::probabilities || !is_wrong(use, head)) {
      continue;
    }
    report_wrong_head(program, use, head, "sigmoid", "values between 0 and 1", report);
  }
}

extern const Rule binary_head_without_sigmoid{
    .name = "binary-head-without-sigmoid",
    .summary = "Finds a binary cross entropy on a model that does not end in a sigmoid",
    .applies = "keras tf1 tf2",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
