#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/head.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

static bool reports_accuracy(const LossUse& use)
{
  const auto* metrics =
      program::as<program::Sequence>(use.call != nullptr ? use.call->arg("metrics") : nullptr);
  return metrics != nullptr && std::ranges::any_of(metrics->items, [](Ref metric) {
           return text_of(metric) == "accuracy" || text_of(metric) == "acc";
         });
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Head head = head_of(use.prediction);
    const auto width = output_width(use);
    if (use.framework != "keras" || use.kind != program::LossKind::binary ||
        use.wants != program::LossInput::probabilities || !head.ends_in("softmax") || width == 1) {
      continue;
    }
    Draft& draft = report
                       .add(use.span,
                            format("{} treats the outputs of a softmax as independent events",
                                   loss_words(program, use)))
                       .note(head.activation->span, "the softmax is here")
                       .help("use a categorical cross entropy")
                       .cause(&use);
    if (!width || *width <= 2) {
      draft.severity(Severity::info);
    } else if (reports_accuracy(use)) {
      draft.note(
          format("Keras 2 and TensorFlow before 2.2 then take `accuracy` for binary accuracy "
                 "of each output, which is about {:.2f} for guesses",
                 1.0 - 1.0 / static_cast<double>(*width)));
    }
    const std::string_view text = program.text(use.span);
    if (text == "'binary_crossentropy'" || text == "\"binary_crossentropy\"") {
      draft.replace(use.span, "'categorical_crossentropy'")
          .unsafe("use a categorical cross entropy");
    }
  }
}

extern const Rule binary_loss_after_softmax{
    .name = "binary-loss-after-softmax",
    .summary = "Finds a binary cross entropy on a model that ends in a softmax",
    .applies = "keras",
    .type = "training/loss-function/wrong-selection-of-loss-function",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
