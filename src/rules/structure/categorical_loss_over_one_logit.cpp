#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/head.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    if (use.wants != program::LossInput::logits || !is_categorical(use.kind) ||
        output_width(use) != 1) {
      continue;
    }
    const Head head = head_of(use.prediction);
    if (head.layer == nullptr || units_of(*head.layer) != 1) {
      continue;
    }
    report
        .add(head.layer->span,
             format("{} over one logit is always 0, so nothing is learned",
                    loss_words(program, use)))
        .note(use.span, "the loss is given here")
        .help("give the last layer one unit for each class, or use a binary cross entropy")
        .cause(&use.target);
  }
}

extern const Rule categorical_loss_over_one_logit{
    .name = "categorical-loss-over-one-logit",
    .summary = "Finds a categorical cross entropy on a model with a single output",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-defined-output-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
