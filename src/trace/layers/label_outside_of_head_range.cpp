#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <limits>

namespace faultline::trace {

namespace {

struct Range {
  double low, high;
};

// Where the values of an activation end.
std::optional<Range> range_of(const std::string& activation)
{
  const double infinity = std::numeric_limits<double>::infinity();
  if (activation == "sigmoid" || activation == "hardsigmoid" || activation == "softmax") {
    return Range{0, 1};
  }
  if (activation == "tanh" || activation == "softsign" || activation == "hardtanh") {
    return Range{-1, 1};
  }
  if (activation == "relu" || activation == "softplus") {
    return Range{0, infinity};
  }
  return activation == "relu6" ? std::optional<Range>({0, 6}) : std::nullopt;
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  const Layer* head = head_activation(trace);
  const std::optional<Range> range =
      head == nullptr ? std::nullopt : range_of(activation_of(*head));
  if (!range) {
    return;
  }
  for (const LossUse* use : training_losses(trace)) {
    if (family_of(*use) != LossFamily::difference || !use->target || !use->prediction ||
        use->target->shape != use->prediction->shape) {
      continue;
    }
    const TensorFacts& target = *use->target;
    const TensorFacts& prediction = *use->prediction;
    // The prediction itself shows that nothing follows the activation.
    const bool bounded = prediction.min >= range->low && prediction.max <= range->high;
    const double slack = 0.05 * (1 + target.std);
    if (bounded && (target.min < range->low - slack || target.max > range->high + slack)) {
      report
          .at(*head,
              use->step,
              format("targets range from {} to {}, but `{}` gives only {} to {}",
                     number(target.min),
                     number(target.max),
                     activation_of(*head),
                     number(range->low),
                     number(range->high)))
          .evidence(
              format("predictions from {} to {}", number(prediction.min), number(prediction.max)))
          .help("end with a linear layer, or scale the targets to the range of the activation");
      return;
    }
  }
}

extern const Symptom label_outside_of_head_range{
    .name = "label-outside-of-head-range",
    .summary = "Finds targets that the activation of the last layer cannot reach",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR018 TR024 TR014",
    .check = check,
};

} // namespace faultline::trace
