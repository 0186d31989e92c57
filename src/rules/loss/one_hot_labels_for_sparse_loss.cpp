#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// The loss is named by a string: the other name is the remedy.
static void offer_fix(const Program& program, const LossUse& use, Draft& draft)
{
  const std::string_view text = program.text(use.span);
  const size_t at = text.find("sparse_categorical_crossentropy");
  if (at == std::string_view::npos || text.find('\n') != std::string_view::npos) {
    return;
  }
  Span prefix = use.span;
  prefix.begin += static_cast<uint32_t>(at);
  prefix.end = prefix.begin + static_cast<uint32_t>(std::string_view("sparse_").size());
  draft.replace(prefix, "").unsafe("use the loss for one-hot labels");
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Tensor* labels = labels_of(use);
    if (use.kind != LossKind::sparse_categorical || use.framework == "torch" || labels == nullptr) {
      continue;
    }
    // As wide as the output: a column for each class.
    const std::optional<int64_t> width = output_width(use);
    const bool is_wide = width.value_or(1) > 1 && labels->shape.has_rank() &&
                         labels->shape.rank() == use.prediction->shape.rank() &&
                         labels->shape.at(-1).constant() == width;
    if (labels->encoding != program::Encoding::one_hot && !is_wide) {
      continue;
    }
    Draft& draft = report.add(use.span, "one-hot labels for a loss that expects class indices")
                       .label(format("the labels have shape {}", labels->shape.text()))
                       .help("use categorical cross entropy, or leave the labels as indices")
                       .cause(label_cause(use));
    if (!use.target_span.empty() && use.target_span != use.span) {
      draft.note(use.target_span, "the labels are passed here");
    }
    if (!labels->origin.empty() && !use.target_span.contains(labels->origin)) {
      draft.note(labels->origin, "and made one-hot here");
    }
    offer_fix(program, use, draft);
  }
}

extern const Rule one_hot_labels_for_sparse_loss{
    .name = "one-hot-labels-for-sparse-loss",
    .summary = "Finds one-hot labels passed to a sparse categorical cross entropy",
    .applies = "keras tf1 tf2",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
            "wrong-shape-of-input-data-for-a-method",
    .fix_pattern = "loss-function",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
