#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

// What shows that the labels are classes; empty if nothing does.
static std::string evidence(const LossUse& use, const Call& squash)
{
  const Tensor* labels = labels_of(use);
  if (labels != nullptr && are_classes(*labels)) {
    return labels->source != nullptr
               ? format("the labels of `{}` are classes", labels->source->name)
               : std::string("the labels are classes");
  }
  if (labels != nullptr && labels->encoding != program::Encoding::unknown) {
    return {};
  }
  const std::vector<Metric> metrics = metrics_of(use);
  const bool counts_hits = std::ranges::any_of(metrics, [](const Metric& metric) {
    return metric.name == "accuracy" || metric.name == "acc" ||
           metric.name == "categorical_accuracy" || metric.name == "binary_accuracy";
  });
  return counts_hits ? format("`{}` outputs and an accuracy are for classes", squash.op())
                     : std::string();
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const Call* squash = is_distance(use.kind) ? value_producer(use.prediction) : nullptr;
    if (squash == nullptr || !(squash->is("softmax") || squash->is("sigmoid"))) {
      continue;
    }
    const std::string why = evidence(use, *squash);
    if (why.empty()) {
      continue;
    }
    const bool is_binary = squash->is("sigmoid");
    report
        .add(use.span,
             format("{} between {} outputs and class labels", words_for(use.kind), squash->op()))
        .label("its gradient vanishes where the output is confidently wrong")
        .note(squash->span, why)
        .help(is_binary ? "use binary cross entropy" : "use categorical cross entropy")
        .cause(&use);
  }
}

extern const Rule squared_error_for_classes{
    .name = "squared-error-for-classes",
    .summary = "Finds a squared or absolute error that trains a softmax or sigmoid classifier",
    .applies = "any",
    .type = "training/loss-function/wrong-selection-of-loss-function",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = 12,
    .check = check,
};

} // namespace faultline::rules
