#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const Experiment* doubled = trace.experiment("double-batch");
  const double one = doubled == nullptr ? k_unknown : setting(doubled->values, "loss");
  const double two = doubled == nullptr ? k_unknown : setting(doubled->values, "doubled");
  if (!(std::abs(one) > 1e-6) || !(two / one >= 1.9 && two / one <= 2.1)) {
    return;
  }
  const bool suffers = progress_of(trace).fails() || has_broken_down(trace);
  if (!suffers && !trace.ended()) {
    return;
  }
  const LossUse* use = trace.training_loss();
  const bool wanted = use != nullptr && use->reduction == "sum";
  report.at_run(0, "the loss is a sum over the batch")
      .severity(suffers && !wanted ? Severity::warning : Severity::info)
      .evidence(format("loss {} on a batch, {} on the same batch twice", number(one), number(two)))
      .help("average over the batch, so that the learning rate does not depend on its size");
}

extern const Symptom summed_loss{
    .name = "summed-loss",
    .summary = "Finds a loss that is summed over the batch instead of averaged",
    .type = "training/loss-function/wrong-loss-function-calculation",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .explains = "TR001 TR007 TR016 TR017 TR018 TR019 TR020",
    .check = check,
};

} // namespace faultline::trace
