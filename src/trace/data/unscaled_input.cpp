#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const LossUse* use = trace.training_loss();
  if (use == nullptr || !use->input || use->input->dtype.find("float") == std::string::npos) {
    return;
  }
  const TensorFacts& input = *use->input;
  const double largest = std::max(std::abs(input.min), std::abs(input.max));
  const std::vector<const Layer*> layers = trace.layers_in_order();
  if (!(largest > 10 || input.std > 5) || (!layers.empty() && is_normalisation(*layers.front()))) {
    return;
  }
  // Many models cope: a range is a fault only where training suffers.
  const bool suffers = progress_of(trace).fails() || has_broken_down(trace);
  if (!suffers && !trace.ended()) {
    return;
  }
  report.at_run(0, format("the inputs range from {} to {}", number(input.min), number(input.max)))
      .severity(suffers ? Severity::warning : Severity::info)
      .evidence(format(
          "first batch: mean {}, standard deviation {}", number(input.mean), number(input.std)))
      .help("scale the inputs to about -1 to 1, or to mean 0 and standard deviation 1");
}

extern const Symptom unscaled_input{
    .name = "unscaled-input",
    .summary = "Finds inputs with a large range in a run that does not learn",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .explains = "TR014 TR018",
    .check = check,
};

} // namespace faultline::trace
