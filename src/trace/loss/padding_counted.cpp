#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  constexpr double k_noticeable = 0.05;
  for (const Observation* use : observations_of(trace, "padded-target")) {
    const double share = setting(use->values, "share");
    if (!(share >= k_noticeable)) {
      continue;
    }
    report.at(*use, format("{:.0f} % of what this loss averages over is padding", 100 * share))
        .evidence(format("rows of {} positions end in runs of {}, which occurs nowhere else",
                         number(setting(use->values, "positions")),
                         number(setting(use->values, "value"))))
        .help("leave padding out: `ignore_index` of the loss, or a mask and `reduction=\"none\"`");
  }
}

extern const Symptom padding_counted{
    .name = "padding-counted",
    .summary = "Finds a loss that averages over the padding of its targets",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
