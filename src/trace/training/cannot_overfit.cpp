#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <cmath>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const Experiment* overfit = trace.experiment("overfit");
  if (overfit == nullptr || !(setting(overfit->values, "steps") >= 200)) {
    return;
  }
  const bool fails = progress_of(trace).fails();
  if (!fails && !trace.ended()) {
    return;
  }
  const double first = setting(overfit->values, "first");
  const double last = setting(overfit->values, "last");
  const double error = setting(overfit->values, "error");
  if (!std::isnan(error)) {
    if (error > 0.05) {
      report
          .at_run(
              0, format("the model cannot memorise a few samples: {:.0f}% stay wrong", 100 * error))
          .severity(error > 0.3 && fails ? Severity::warning : Severity::info)
          .evidence(format("loss {} before, {} after {} steps on the same samples",
                           number(first),
                           number(last),
                           setting(overfit->values, "steps")))
          .help("check the path from the loss to the weights: labels, loss, frozen or unused "
                "layers");
    }
  } else if (first > 0 && last > first / 100) {
    report.at_run(0, "the model cannot memorise a few samples")
        .severity(last > first / 2 && fails ? Severity::warning : Severity::info)
        .evidence(format("loss {} before, {} after {} steps on the same samples",
                         number(first),
                         number(last),
                         setting(overfit->values, "steps")))
        .help("check the path from the loss to the weights: labels, loss, frozen or unused layers");
  }
}

extern const Symptom cannot_overfit{
    .name = "cannot-overfit",
    .summary = "Finds a model that cannot memorise a few samples",
    .type = "training/training-process/wrongly-implemented-back-propagation",
    .fix_pattern = "neural-connection",
    .severity = Severity::warning,
    .confidence = Confidence::low,
    .check = check,
};

} // namespace faultline::trace
