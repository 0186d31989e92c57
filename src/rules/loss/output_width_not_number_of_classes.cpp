#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// The number of classes that the labels tell apart, if known.
static std::optional<int64_t> classes_of(const LossUse& use, const Tensor& labels)
{
  if (labels.encoding == program::Encoding::one_hot) {
    const bool same_rank = use.prediction->shape.rank() == labels.shape.rank();
    return same_rank ? labels.shape.at(use.class_axis).constant() : std::nullopt;
  }
  return are_indices(labels) && labels.classes > 1 ? std::optional(labels.classes) : std::nullopt;
}

// Labels that do not start at 0 are another fault (DL204).
static bool starts_at_zero(const Tensor& labels)
{
  return !labels.interval.is_known() || labels.interval.low() <= 0;
}

static bool is_wrong(const LossUse& use, const Tensor& labels, int64_t width, int64_t classes)
{
  const bool is_one_hot = labels.encoding == program::Encoding::one_hot;
  switch (use.kind) {
  case LossKind::binary:
    return !is_one_hot && width == 1 && classes > 2;
  case LossKind::categorical:
    // PyTorch's cross entropy takes both encodings.
    return is_one_hot ? width != classes : use.framework == "torch" && width < classes;
  case LossKind::sparse_categorical:
  case LossKind::nll:
    return !is_one_hot && width < classes;
  default:
    return false;
  }
}

// More outputs than classes run, but were hardly meant; one more is a usual reserve.
static bool is_odd(const LossUse& use, const Tensor& labels, int64_t width, int64_t classes)
{
  const bool takes_indices = use.kind == LossKind::sparse_categorical ||
                             use.kind == LossKind::nll ||
                             (use.kind == LossKind::categorical && use.framework == "torch");
  return takes_indices && are_indices(labels) && labels.source != nullptr && width > classes + 1;
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Tensor* labels = labels_of(use);
    const std::optional<int64_t> width = output_width(use);
    if (labels == nullptr || !width || !starts_at_zero(*labels)) {
      continue;
    }
    const std::optional<int64_t> classes = classes_of(use, *labels);
    if (!classes) {
      continue;
    }
    const bool wrong = is_wrong(use, *labels, *width, *classes);
    if (!wrong && !is_odd(use, *labels, *width, *classes)) {
      continue;
    }
    const Call* layer = output_layer(use);
    Draft& draft = report
                       .add(layer != nullptr ? width_place(*layer) : use.prediction_span,
                            format("the model has {} output{} for {} classes",
                                   *width,
                                   *width == 1 ? "" : "s",
                                   *classes))
                       .severity(wrong ? Severity::error : Severity::warning)
                       .help(format("give the last layer {} outputs", *classes))
                       .cause(label_cause(use));
    if (use.kind == LossKind::binary) {
      draft.help(
          format("give the last layer {} outputs and use a categorical cross entropy", *classes));
    }
    if (labels->source != nullptr) {
      draft.note(format("`{}` has {} classes", labels->source->name, *classes));
    } else if (!labels->origin.empty()) {
      draft.note(labels->origin, format("the labels have {} classes", *classes));
    }
  }
}

extern const Rule output_width_not_number_of_classes{
    .name = "output-width-not-number-of-classes",
    .summary = "Finds a last layer that has fewer or more outputs than the labels have classes",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-defined-output-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 15,
    .check = check,
};

} // namespace faultline::rules
