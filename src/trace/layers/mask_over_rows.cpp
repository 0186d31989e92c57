#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "mask-over-rows")) {
    const double masked = setting(use->values, "masked"), rows = setting(use->values, "rows");
    if (!(masked > 0) || !(masked < rows)) {
      continue;
    }
    report.at(*use, "the mask hides whole rows of the scores and none of their entries")
        .evidence(format("{} of {} rows that softmax normalises are hidden completely, and in all "
                         "others every entry counts",
                         number(masked),
                         number(rows)))
        .help("a padding mask belongs on the axis that softmax sums over: `mask[:, None, :]`, "
              "not `mask[:, :, None]`");
  }
}

extern const Symptom mask_over_rows{
    .name = "mask-over-rows",
    .summary = "Finds attention masks that are applied along the wrong axis",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
