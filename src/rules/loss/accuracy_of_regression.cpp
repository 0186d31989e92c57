#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static bool is_regression_loss(LossKind kind)
{
  return is_distance(kind) || kind == LossKind::poisson;
}

// Outputs of any size, as a regression has them: no squashing activation at the end.
static bool is_unbounded(const LossUse& use)
{
  const Call* head = value_producer(use.prediction);
  return head != nullptr && (head->has(program::k_learning) || head->is("relu") ||
                             head->is("linear") || head->is("softplus"));
}

static bool labels_may_be_real(const LossUse& use)
{
  const Tensor* labels = labels_of(use);
  if (labels == nullptr || labels->encoding == program::Encoding::unknown) {
    return is_unbounded(use);
  }
  return labels->encoding == program::Encoding::real;
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    if (!is_regression_loss(use.kind) || !labels_may_be_real(use)) {
      continue;
    }
    for (const Metric& metric : metrics_of(use)) {
      if (metric.name != "accuracy" && metric.name != "acc" && metric.name != "exact_accuracy") {
        continue;
      }
      Draft& draft =
          report.add(metric.span, "accuracy counts equal values, which real outputs never are")
              .note(use.span, format("`{}` makes this a regression", loss_text(program, use)))
              .help("measure the mean absolute error instead")
              .cause(&use.call);
      const std::string_view text = program.text(metric.span);
      if (text == "'accuracy'" || text == "\"accuracy\"" || text == "'acc'") {
        draft.replace(metric.span, format("{0}mae{0}", text.front()))
            .unsafe("measure the mean absolute error");
      }
    }
  }
}

extern const Rule accuracy_of_regression{
    .name = "accuracy-of-regression",
    .summary = "Finds accuracy as the metric of a regression",
    .applies = "any",
    .type = "training/validation-testing/wrong-performance-metric",
    .fix_pattern = "accuracy-metric",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
