#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Layer* layer : trace.layers_in_order()) {
    const auto& gradients = trace.series(layer->id, Role::gradient);
    const std::vector<TensorStats> recent = last_of(gradients, 5);
    if (recent.empty()) {
      continue;
    }
    const TensorStats& last = recent.back();
    const double typical =
        last.norm / std::sqrt(std::max<double>(1, static_cast<double>(last.count)));
    bool grows = last.norm > 1e3 * recent.front().norm && recent.front().norm > 0;
    for (size_t i = 1; i < recent.size(); ++i) {
      grows = grows && recent[i].norm >= 2 * recent[i - 1].norm;
    }
    if (!grows && !(typical > 1e6)) {
      continue;
    }
    // Gradients may grow from nearly zero without a problem.
    const Progress progress = progress_of(trace);
    if (last.norm < 10 || (progress.learns() && last.norm < 1e3)) {
      continue;
    }
    report
        .at(*layer,
            recent.front().step,
            format("the gradient of `{}` grows without bound", layer->name))
        .evidence(format("norm {} at step {}, {} at step {}",
                         number(recent.front().norm),
                         recent.front().step,
                         number(last.norm),
                         last.step))
        .help("lower the learning rate, or clip the norm of the gradients");
    return; // the layers before it only inherit it
  }
}

extern const Symptom exploding_gradient{
    .name = "exploding-gradient",
    .summary = "Finds gradients that grow without bound",
    .type = "training/hyperparameters/suboptimal-learning-rate",
    .fix_pattern = "optimizer",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .explains = "TR017 TR018 TR019 TR020",
    .check = check,
};

} // namespace faultline::trace
