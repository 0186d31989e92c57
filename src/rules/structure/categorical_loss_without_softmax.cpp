#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/head.hpp"

namespace faultline::rules {

static bool is_sigmoid(const Head& head)
{
  return head.ends_in("sigmoid") || head.ends_in("hard_sigmoid");
}

// A sigmoid, or a single output, is the head of another loss; other heads are DL108.
static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Head head = head_of(use.prediction);
    if (use.framework != "keras" || use.wants != program::LossInput::probabilities ||
        !is_categorical(use.kind) || !head.known) {
      continue;
    }
    const bool is_single = output_width(use) == 1 && !head.ends_in("softmax");
    if (!is_single && !(is_sigmoid(head) && use.kind == program::LossKind::categorical)) {
      continue;
    }
    Draft& draft = report.add(
        use.span,
        is_single ? format("{} over one output has no gradient", loss_words(program, use))
                  : format("{} on sigmoid outputs, which are not a distribution over classes",
                           loss_words(program, use)));
    draft.note(place_of(head, use.span), is_single ? "the model has one output" : "sigmoid here")
        .help(is_single ? "use a binary cross entropy, or one output for each class and a softmax"
                        : "use a softmax for one class of several, binary cross entropy for labels "
                          "that may hold together")
        .type(
            is_single
                ? FaultType("training/loss-function/wrong-selection-of-loss-function")
                : FaultType("model/layers/activation-function/missing-softmax-activation-function"))
        .cause(is_single ? static_cast<const void*>(&use.target) : &use);
    const std::string_view text = program.text(use.span);
    const bool is_word = !text.empty() && (text.front() == '\'' || text.front() == '"');
    if (is_single && is_word && is_sigmoid(head)) {
      draft.replace(use.span, "'binary_crossentropy'").unsafe("use a binary cross entropy");
    }
  }
}

extern const Rule categorical_loss_without_softmax{
    .name = "categorical-loss-without-softmax",
    .summary = "Finds a categorical cross entropy on a single output or on sigmoid outputs",
    .applies = "keras",
    .type = "training/loss-function/wrong-selection-of-loss-function",
    .fix_pattern = "loss-function",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
