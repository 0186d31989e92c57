#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

namespace {

bool is_cross_entropy(const LossUse& use)
{
  const LossFamily family = family_of(use);
  return family == LossFamily::logits || family == LossFamily::probabilities ||
         family == LossFamily::binary_logits || family == LossFamily::binary_probabilities;
}

// Nothing but 0 and 1, a single 1 in each row if there are several columns.
bool is_decided(const TensorFacts& prediction)
{
  const bool rows =
      !prediction.row_sum_min || (*prediction.row_sum_min == 1 && *prediction.row_sum_max == 1);
  return prediction.min == 0 && prediction.max == 1 && prediction.distinct == 2 && rows;
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  for (const LossUse* use : training_losses(trace)) {
    if (!is_cross_entropy(*use) || !use->prediction || !use->target) {
      continue;
    }
    if (is_decided(*use->prediction) && use->target->fraction.value_or(0) > 0.5) {
      report.at(use->site, use->step, "the predictions and the targets of the loss are swapped")
          .evidence(format("what is passed as the prediction is only 0 or 1, what is passed as the "
                           "target ranges from "
                           "{} to {}",
                           number(use->target->min),
                           number(use->target->max)))
          .help("PyTorch takes the prediction first, TensorFlow.js the labels");
      return;
    }
  }
}

extern const Symptom swapped_arguments{
    .name = "swapped-arguments",
    .summary = "Finds losses whose predictions and targets are swapped",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR009 TR018",
    .check = check,
};

} // namespace faultline::trace
