#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  std::vector<const LossUse*> uses = training_losses(trace);
  std::erase_if(uses, [](const LossUse* use) { return !use->prediction || use->step == 0; });
  if (uses.size() < 3) {
    return;
  }
  const auto recent = std::span(uses).last(3);
  const auto is_constant = [](const LossUse* use) {
    const TensorFacts& prediction = *use->prediction;
    const int64_t rows = prediction.shape.empty() ? 0 : prediction.shape.front();
    if (rows < 4 || !use->target) {
      return false;
    }
    const TensorFacts& target = *use->target;
    if (prediction.std < 1e-6 * (1e-3 + std::abs(prediction.mean))) {
      return target.std > 1e-6;
    }
    int64_t most = 0;
    int64_t all = 0;
    for (const int64_t count : target.class_counts) {
      most = std::max(most, count);
      all += std::max<int64_t>(count, 0);
    }
    return prediction.largest_share.value_or(0) > 0.99 && rows >= 16 && all > 0 &&
           static_cast<double>(most) < 0.8 * static_cast<double>(all);
  };
  const Progress progress = progress_of(trace);
  const bool late = progress.known && (last_step(trace) >= 100 || trace.ended());
  if (!late || progress.learns() || !std::ranges::all_of(recent, is_constant)) {
    return;
  }
  const Layer* head = head_activation(trace);
  const std::string message = "the model gives the same prediction for every sample";
  const uint32_t step = recent.front()->step;
  Draft& draft = head != nullptr ? report.at(*head, step, message) : report.at_run(step, message);
  const TensorFacts& last = *recent.back()->prediction;
  draft
      .evidence(format("predictions from {} to {} in {} checks in a row",
                       number(last.min),
                       number(last.max),
                       recent.size()))
      .help("check the last layer and the labels: nothing of the input reaches the prediction");
}

extern const Symptom constant_prediction{
    .name = "constant-prediction",
    .summary = "Finds a model that gives the same prediction for every sample",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .explains = "TR018",
    .check = check,
};

} // namespace faultline::trace
