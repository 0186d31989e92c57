#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const LossUse* use : training_losses(trace)) {
    const LossFamily family = family_of(*use);
    if ((family != LossFamily::binary_probabilities && family != LossFamily::binary_logits) ||
        !use->target || !use->prediction) {
      continue;
    }
    const TensorFacts& target = *use->target;
    const std::vector<int64_t>& shape = use->prediction->shape;
    const bool one_unit = shape.size() == 1 || (shape.size() == 2 && shape[1] == 1);
    if (!one_unit || !(target.max > 1) || target.min < 0 || target.fraction.value_or(0) > 0 ||
        target.max > 10'000) {
      continue;
    }
    const std::string message =
        format("one output unit for classes from {} to {}", number(target.min), number(target.max));
    const Layer* last = last_learning_layer(trace);
    Draft& draft = last != nullptr && last->site.line > 0
                       ? report.at(*last, use->step, message)
                       : report.at(use->site, use->step, message);
    draft.evidence(format("`{}` takes targets from 0 to 1", use->kind))
        .help("give the last layer one unit for each class, and use cross entropy");
    return;
  }
}

extern const Symptom one_unit_many_classes{
    .name = "one-unit-many-classes",
    .summary = "Finds a single output unit for more than two classes",
    .type = "model/layers/layer-properties/wrong-defined-output-shape",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR030 TR024 TR006 TR018 TR019 TR021",
    .check = check,
};

} // namespace faultline::trace
