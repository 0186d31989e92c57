#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const Layer* head = head_activation(trace);
  for (const LossUse* use : training_losses(trace)) {
    if (!use->prediction || use->prediction->shape.size() < 2 ||
        use->prediction->shape.back() != 1) {
      continue;
    }
    const TensorFacts& prediction = *use->prediction;
    const bool softmax =
        head != nullptr && activation_of(*head).find("softmax") != std::string::npos;
    const bool ones = prediction.min == 1 && prediction.max == 1;
    const bool zeros = prediction.min == 0 && prediction.max == 0;
    if (!softmax || !(ones || (zeros && activation_of(*head) == "logsoftmax"))) {
      continue;
    }
    report.at(*head, use->step, "softmax over a single unit is always 1")
        .evidence(format("all predictions of shape {} are {}",
                         print_shape(prediction.shape),
                         number(prediction.min)))
        .help("use sigmoid, or two units");
    return;
  }
}

extern const Symptom output_always_one{
    .name = "output-always-one",
    .summary = "Finds softmax over a single unit, which is always 1",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR018 TR024 TR015 TR046 TR006 TR009",
    .check = check,
};

} // namespace faultline::trace
