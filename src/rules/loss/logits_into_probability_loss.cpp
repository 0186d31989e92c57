#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static bool takes_probabilities(const LossUse& use)
{
  return use.wants == LossInput::probabilities &&
         (is_categorical(use.kind) || use.kind == LossKind::binary);
}

// The output of a learning layer as it is, or normalised, but not squashed.
static const Call* raw_head(const LossUse& use)
{
  const Call* head = value_producer(use.prediction);
  if (head != nullptr && head->has(program::k_normalising)) {
    head = value_producer(head->input());
  }
  const bool is_raw = head != nullptr && (head->has(program::k_learning) || head->is("matmul")) &&
                      use.prediction->interval == program::Interval::reals();
  return is_raw ? head : nullptr;
}

// `SparseCategoricalCrossentropy()` gets the argument that it lacks.
static void offer_fix(const Program& program, const LossUse& use, Draft& draft)
{
  const std::string_view text = program.text(use.span);
  if (text.ends_with("Crossentropy()")) {
    draft.insert(last_character(use.span), "from_logits=True")
        .unsafe("tell the loss that its input is logits");
  }
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    if (use.framework == "torch" || !takes_probabilities(use)) {
      continue; // DL215 speaks about PyTorch
    }
    const Call* head = raw_head(use);
    if (head == nullptr) {
      continue;
    }
    const bool is_binary = use.kind == LossKind::binary;
    Draft& draft = report.add(use.span, "raw scores for a loss that expects probabilities")
                       .label("takes the logarithm of the output as it is")
                       .note(head->span, "the last layer has no activation")
                       .help(format("pass `from_logits=True`, or end the model with a {}",
                                    is_binary ? "sigmoid" : "softmax"))
                       .cause(&use);
    offer_fix(program, use, draft);
  }
}

extern const Rule logits_into_probability_loss{
    .name = "logits-into-probability-loss",
    .summary = "Finds a model without a last activation whose loss expects probabilities",
    .applies = "keras tf1 tf2",
    .type = "model/layers/activation-function/missing-softmax-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
