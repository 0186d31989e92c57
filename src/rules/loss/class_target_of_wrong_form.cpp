#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

namespace {

bool takes_indices(const LossUse& use)
{
  if (use.framework == "torch") {
    return is_categorical(use.kind) || use.kind == LossKind::nll;
  }
  return use.framework == "tensorflow" && use.kind == LossKind::sparse_categorical;
}

Span place_of(const LossUse& use)
{
  return use.target_span.empty() ? use.span : use.target_span;
}

// Indices in a column of their own: `(N, 1)` where `(N,)` is expected.
bool has_surplus_axis(const LossUse& use, const Tensor& labels)
{
  const program::Shape& shape = use.prediction->shape;
  return shape.has_rank() && labels.shape.has_rank() && *shape.rank() >= 2 &&
         *shape.rank() == *labels.shape.rank() && labels.shape.at(use.class_axis).is(1) &&
         shape.at(use.class_axis).constant().value_or(1) > 1;
}

bool has_shape_of_indices(const LossUse& use, const Tensor& labels)
{
  const program::Shape& shape = use.prediction->shape;
  return shape.has_rank() && labels.shape.has_rank() && *shape.rank() == *labels.shape.rank() + 1;
}

void check_shape(const LossUse& use, const Tensor& labels, Reporter& report)
{
  report
      .add(place_of(use),
           format("labels of shape {} where {} is expected",
                  labels.shape.text(),
                  labels.shape.without(*labels.shape.axis(use.class_axis)).text()))
      .label(format("the scores have shape {}", use.prediction->shape.text()))
      .help(use.framework == "torch" ? "drop the axis: `labels.squeeze(1)`"
                                     : "drop the axis: `tf.squeeze(labels, axis=-1)`")
      .cause(label_cause(use));
}

void check_dtype(const LossUse& use, const Tensor& labels, Reporter& report)
{
  report
      .add(place_of(use),
           format("class indices of type {} where {} is expected",
                  labels.dtype.text(),
                  use.framework == "torch" ? "int64" : "int32 or int64"))
      .help(use.framework == "torch" ? "convert them: `labels.long()`"
                                     : "convert them: `tf.cast(labels, tf.int64)`")
      .type("tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method")
      .cause(label_cause(use));
}

// PyTorch wants exactly int64, or floating probabilities of the shape of the scores.
bool has_wrong_dtype(const LossUse& use, const Tensor& labels)
{
  if (labels.dtype.is_unknown() || !has_shape_of_indices(use, labels)) {
    return false;
  }
  return use.framework == "torch" ? labels.dtype != program::DType(program::DType::Kind::int64) &&
                                        labels.dtype != program::DType(program::DType::Kind::uint8)
                                  : labels.dtype.is_floating();
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Tensor* labels = labels_of(use);
    if (!takes_indices(use) || labels == nullptr || use.prediction == nullptr) {
      continue;
    }
    if (has_surplus_axis(use, *labels)) {
      check_shape(use, *labels, report);
    } else if (has_wrong_dtype(use, *labels)) {
      check_dtype(use, *labels, report);
    }
  }
}

extern const Rule class_target_of_wrong_form{
    .name = "class-target-of-wrong-form",
    .summary = "Finds class indices of the wrong shape or type for a cross entropy",
    .applies = "torch tf1 tf2",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
            "wrong-shape-of-input-data-for-a-method",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
