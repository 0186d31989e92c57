#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const LossUse* use : training_losses(trace)) {
    if (!use->prediction || use->prediction->shape.size() < 2 ||
        use->prediction->shape.back() < 2 || use->prediction->nan > 0) {
      continue;
    }
    const TensorFacts& prediction = *use->prediction;
    const LossFamily family = family_of(*use);
    const bool sums_known = prediction.row_sum_min && prediction.row_sum_max;
    const bool probabilities = sums_known && *prediction.row_sum_min > 0.95 &&
                               *prediction.row_sum_max < 1.05 && prediction.min >= 0;
    const bool in_unit =
        prediction.min >= 0 && prediction.max <= 1; // a logarithm is missing: another symptom
    const bool positive_logs =
        family == LossFamily::log_probabilities && prediction.max > 1e-4 && !in_unit;
    const bool no_sums = family == LossFamily::probabilities && sums_known && !probabilities;
    if (!positive_logs && !no_sums) {
      continue;
    }
    const std::string message =
        positive_logs ? format("`{}` takes logarithms of probabilities, but gets values above zero",
                               use->kind)
                      : format("`{}` takes probabilities, but the rows do not sum to 1", use->kind);
    const Layer* last = last_learning_layer(trace);
    Draft& draft = last != nullptr && last->site.line > 0
                       ? report.at(*last, use->step, message)
                       : report.at(use->site, use->step, message);
    draft
        .evidence(
            format("predictions from {} to {}", number(prediction.min), number(prediction.max)))
        .help(positive_logs
                  ? "end the model with log_softmax, or use cross entropy on the raw output"
                  : "end the model with softmax");
    if (sums_known) {
      draft.evidence(format("row sums from {} to {}",
                            number(*prediction.row_sum_min),
                            number(*prediction.row_sum_max)));
    }
    return;
  }
}

extern const Symptom output_not_a_distribution{
    .name = "output-not-a-distribution",
    .summary = "Finds outputs that are not probabilities in a loss that expects probabilities",
    .type = "model/layers/activation-function/missing-softmax-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR007 TR018 TR024 TR030 TR021 TR019",
    .check = check,
};

} // namespace faultline::trace
