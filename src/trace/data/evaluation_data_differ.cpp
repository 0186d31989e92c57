#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

namespace {

// An input, as the probe sums it up.
struct Summary {
  double distinct = k_unknown; // values of a sample, the median over samples
  double min = k_unknown, max = k_unknown, mean = k_unknown, std = k_unknown;
};

Summary summary_of(const Json& values, std::string_view key)
{
  const auto found = values.find(std::string(key));
  if (found == values.end() || !found->is_object()) {
    return {};
  }
  return {setting(*found, "distinct"),
          setting(*found, "min"),
          setting(*found, "max"),
          setting(*found, "mean"),
          setting(*found, "std")};
}

void check_use(const Observation& use, Reporter& report)
{
  constexpr double k_few = 3, k_many = 4; // values of a sample, and how many times as many
  constexpr double k_scale = 8;
  const Summary trained = summary_of(use.values, "training");
  const Summary given = summary_of(use.values, "evaluation");
  const double ratio =
      std::max(trained.std, given.std) / std::max(1e-12, std::min(trained.std, given.std));
  if (trained.std > 0 && given.std > 0 && ratio > k_scale) {
    report.at(use, "the model is evaluated on data of a different scale than in training")
        .evidence(format("standard deviation {} here, {} in training, ranges {} to {} and {} to {}",
                         number(given.std),
                         number(trained.std),
                         number(given.min),
                         number(given.max),
                         number(trained.min),
                         number(trained.max)))
        .help("prepare data for evaluation with the same steps and numbers as for training");
  } else if (trained.distinct <= k_few && given.distinct >= k_many * trained.distinct) {
    report
        .at(use,
            format("samples have {} distinct values in training and {} here",
                   number(trained.distinct),
                   number(given.distinct)))
        .evidence("medians over the samples of a batch")
        .help("look for a step that rounds the training data, such as a cast to bytes or integers");
  }
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "evaluation-input")) {
    check_use(*use, report);
  }
}

extern const Symptom evaluation_data_differ{
    .name = "evaluation-data-differ",
    .summary =
        "Finds models that are evaluated on data prepared differently from the training data",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
