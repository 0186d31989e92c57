#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

#include <cmath>

namespace faultline::rules {

static bool takes_indices(const LossUse& use, const Tensor& labels)
{
  switch (use.kind) {
  case LossKind::sparse_categorical:
  case LossKind::nll:
    return labels.dtype.is_integer() || are_indices(labels);
  case LossKind::categorical:
    // PyTorch's cross entropy: floating labels are probabilities.
    return use.framework == "torch" && (labels.dtype.is_integer() || are_indices(labels));
  default:
    return false;
  }
}

// The value that the loss skips, if any.
static std::optional<int64_t> ignored(const LossUse& use)
{
  const Ref value = use.call != nullptr ? use.call->setting_value("ignore_index") : nullptr;
  const auto* constant = program::as<program::Constant>(value);
  const auto* number = constant != nullptr ? std::get_if<int64_t>(&constant->value) : nullptr;
  return number != nullptr ? std::optional(*number) : std::nullopt;
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Tensor* labels = labels_of(use);
    const std::optional<int64_t> width = output_width(use);
    if (labels == nullptr || width.value_or(1) < 2 || !labels->interval.is_known() ||
        !takes_indices(use, *labels)) {
      continue;
    }
    const double low = labels->interval.low();
    const double high = labels->interval.high();
    if (std::isinf(low) || std::isinf(high)) {
      continue;
    }
    const bool is_negative = low < 0 && static_cast<double>(ignored(use).value_or(0)) != low;
    // Too many classes for the model is another fault (DL203).
    const bool is_shifted =
        low > 0 && high >= static_cast<double>(*width) && high - low < static_cast<double>(*width);
    if (!is_negative && !is_shifted) {
      continue;
    }
    Draft& draft =
        report
            .add(use.target_span.empty() ? use.span : use.target_span,
                 format("labels {} to {} for a model with {} outputs, which stand for 0 to {}",
                        low,
                        high,
                        *width,
                        *width - 1))
            .cause(label_cause(use));
    if (is_shifted) {
      draft.help(format("subtract {} from the labels", low));
    } else {
      draft.help(use.framework == "torch"
                     ? "number the classes from 0, or pass the value to skip as `ignore_index`"
                     : "number the classes from 0");
    }
    if (labels->source != nullptr) {
      draft.note(format("the labels of `{}`", labels->source->name));
    }
  }
}

extern const Rule labels_outside_class_range{
    .name = "labels-outside-class-range",
    .summary = "Finds class indices that do not start at 0 or are negative",
    .applies = "any",
    .type = "training/training-data-quality/wrong-labels-for-training-data",
    .fix_pattern = "data-wrangling",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 16,
    .check = check,
};

} // namespace faultline::rules
