#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// No axis of classes, or one of a single column while the model has several outputs.
static bool lacks_columns(const LossUse& use, const Tensor& labels)
{
  const std::optional<int64_t> width = output_width(use);
  if (width.value_or(1) <= 1 || !labels.shape.has_rank()) {
    return false;
  }
  const size_t rank = *use.prediction->shape.rank();
  return *labels.shape.rank() + 1 == rank ||
         (*labels.shape.rank() == rank && labels.shape.at(-1).is(1));
}

static void offer_fix(const Program& program, const LossUse& use, Draft& draft)
{
  const std::string_view text = program.text(use.span);
  if (text == "'categorical_crossentropy'" || text == "\"categorical_crossentropy\"") {
    Span quote = use.span;
    quote.begin += 1;
    draft.insert(quote, "sparse_").unsafe("use the loss for class indices");
  }
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Tensor* labels = labels_of(use);
    if (use.kind != LossKind::categorical || use.framework == "torch" || labels == nullptr ||
        labels->encoding == program::Encoding::one_hot) {
      continue;
    }
    const bool has_classes = output_width(use).value_or(2) > 1;
    if (!(are_indices(*labels) && has_classes) && !lacks_columns(use, *labels)) {
      continue;
    }
    const Span place = use.target_span.empty() ? use.span : use.target_span;
    const std::optional<int64_t> width = output_width(use);
    Draft& draft =
        report
            .add(place,
                 format("class indices for `{}`, which expects one-hot labels",
                        loss_text(program, use)))
            .label(
                width
                    ? format("shape {}, but the model has {} outputs", labels->shape.text(), *width)
                    : format("shape {}", labels->shape.text()))
            .help("encode the labels with `to_categorical` or `one_hot`, or use the sparse loss")
            .cause(label_cause(use));
    if (place != use.span) {
      draft.note(use.span, "the loss is chosen here");
    }
    offer_fix(program, use, draft);
  }
}

extern const Rule index_labels_for_categorical_loss{
    .name = "index-labels-for-categorical-loss",
    .summary = "Finds class indices passed to a categorical cross entropy, which expects one-hot "
               "labels",
    .applies = "keras tf1 tf2",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
