#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "padding-leaks")) {
    const double change = setting(use->values, "change"), scale = setting(use->values, "scale");
    if (!(change > 0.01 * scale) || !(change > 1e-5)) {
      continue;
    }
    report.at(*use, "the mask does not keep padding out: padding changes the predictions")
        .evidence(format("other numbers at padded positions move the predictions for the rest by "
                         "up to {}, of {}",
                         number(change),
                         number(scale)))
        .help(
            "check along which axis the mask is applied, and which of its values hide a position");
  }
}

extern const Symptom padding_leaks{
    .name = "padding-leaks",
    .summary = "Finds models with a mask whose predictions still depend on padding",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
