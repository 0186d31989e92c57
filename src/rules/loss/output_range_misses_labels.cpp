#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::rules {

// How far `outer` reaches beyond what `inner` covers, with a little slack for rounding.
static bool leaves(const program::Interval& outer, const program::Interval& inner)
{
  const double slack = 1e-3 * std::max(1.0, std::isinf(inner.high()) ? 1.0 : inner.high());
  return outer.low() < inner.low() - slack || outer.high() > inner.high() + slack;
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Tensor* labels = labels_of(use);
    const bool compares = is_distance(use.kind) ||
                          (use.kind == LossKind::binary && use.wants == LossInput::probabilities);
    if (!compares || labels == nullptr || !labels->interval.is_known()) {
      continue;
    }
    const Call* head = value_producer(use.prediction);
    if (head == nullptr || !head->has(program::k_activation) ||
        !use.prediction->interval.is_known() ||
        !leaves(labels->interval, use.prediction->interval)) {
      continue;
    }
    Draft& draft =
        report
            .add(head->span,
                 format("outputs in {} can never reach labels in {}",
                        use.prediction->interval.text(),
                        labels->interval.text()))
            .label(format("bounded by `{}`", head->op()))
            .help(use.kind == LossKind::binary
                      ? "number two classes 0 and 1, or use another loss"
                      : "leave the last layer linear, or scale the labels to the same range")
            .cause(label_cause(use));
    if (labels->source != nullptr) {
      draft.note(format("the labels of `{}`", labels->source->name));
    } else if (!use.target_span.empty()) {
      draft.note(use.target_span, "the labels are passed here");
    }
  }
}

extern const Rule output_range_misses_labels{
    .name = "output-range-misses-labels",
    .summary = "Finds a last activation whose range does not cover the labels",
    .applies = "any",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 11,
    .check = check,
};

} // namespace faultline::rules
