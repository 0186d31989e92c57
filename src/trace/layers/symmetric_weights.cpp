#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const Layer* last = last_learning_layer(trace);
  for (const auto& [id, layer] : trace.layers()) {
    const auto& weights = trace.series(id, Role::weight);
    // Zeros in the last layer are a good start; one value in a hidden one is not.
    if (!is_learning(layer) || &layer == last || weights.empty() || weights.front().count < 4 ||
        weights.front().step > 1 || (!layer.trainable.empty() && !layer.trainable.front())) {
      continue;
    }
    const TensorStats& first = weights.front();
    if (first.std < 1e-5 || first.std < 0.01 * std::abs(first.mean)) {
      report
          .at(layer,
              first.step,
              format("all weights of `{}` start with the same value", layer.name))
          .evidence(format("{} weights: mean {}, standard deviation {}",
                           first.count,
                           number(first.mean),
                           number(first.std)))
          .help("initialise the weights at random, so that the units can become different");
    }
  }
}

extern const Symptom symmetric_weights{
    .name = "symmetric-weights",
    .summary = "Finds hidden layers whose weights all start with the same value",
    .type = "model/model-type-and-properties/wrong-weights-initialisation",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
