#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  std::vector<double> counts;
  double collapsed = 0;
  uint32_t step = 0;
  for (const LossUse* use : training_losses(trace)) {
    if (!use->target || use->target->class_counts.size() < 2) {
      continue;
    }
    counts.resize(std::max(counts.size(), use->target->class_counts.size()));
    for (size_t i = 0; i < use->target->class_counts.size(); ++i) {
      counts[i] += static_cast<double>(std::max<int64_t>(use->target->class_counts[i], 0));
    }
    collapsed = use->prediction ? use->prediction->largest_share.value_or(0) : 0;
    step = use->step;
  }
  double total = 0;
  for (const double count : counts) {
    total += count;
  }
  if (total < 200 || counts.size() > 20) {
    return;
  }
  double entropy = 0;
  double most = 0;
  for (const double count : counts) {
    entropy -= count > 0 ? count / total * std::log(count / total) : 0;
    most = std::max(most, count / total);
  }
  const double balance = std::exp(entropy) / static_cast<double>(counts.size());
  if (balance >= (counts.size() == 2 ? 0.7 : 0.5)) {
    return; // of two classes the measure is never below one half
  }
  report.at_run(0, format("one class has {:.0f}% of the labels", 100 * most))
      .severity(collapsed > 0.99 && step > 0 ? Severity::warning : Severity::info)
      .evidence(format("{} labels of {} classes are as even as {} classes would be",
                       total,
                       counts.size(),
                       number(std::exp(entropy))))
      .help("weight the classes, or sample them evenly");
}

extern const Symptom unbalanced_labels{
    .name = "unbalanced-labels",
    .summary = "Finds classes so imbalanced that the model predicts only one of them",
    .type = "training/training-data-quality/unbalanced-training-data",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::low,
    .explains = "TR024",
    .check = check,
};

} // namespace faultline::trace
