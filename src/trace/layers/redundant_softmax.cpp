#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const LossUse* use : training_losses(trace)) {
    if (family_of(*use) != LossFamily::logits || !use->prediction) {
      continue;
    }
    const TensorFacts& prediction = *use->prediction;
    if (prediction.shape.size() < 2 || prediction.shape[1] < 2 || !prediction.row_sum_min ||
        !prediction.row_sum_max) {
      continue;
    }
    const bool probabilities =
        prediction.min >= 0 && *prediction.row_sum_min > 0.999 && *prediction.row_sum_max < 1.001;
    if (!probabilities) {
      continue;
    }
    const Layer* head = head_activation(trace);
    const bool is_softmax =
        head != nullptr && activation_of(*head).find("softmax") != std::string::npos;
    const std::string message =
        format("`{}` applies softmax itself, but is given probabilities", use->kind);
    Draft& draft = is_softmax ? report.at(*head, use->step, message)
                              : report.at(use->site, use->step, message);
    draft
        .evidence(format("predictions from {} to {}, row sums from {} to {}",
                         number(prediction.min),
                         number(prediction.max),
                         number(*prediction.row_sum_min),
                         number(*prediction.row_sum_max)))
        .help("pass the raw output of the last layer to the loss, and apply softmax only when "
              "predicting");
    return;
  }
}

extern const Symptom redundant_softmax{
    .name = "redundant-softmax",
    .summary = "Finds probabilities in a loss that applies softmax itself",
    .type = "model/layers/missing-redundant-wrong-layer/redundant-softmax-layer",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR018 TR021 TR015 TR029 TR009",
    .check = check,
};

} // namespace faultline::trace
