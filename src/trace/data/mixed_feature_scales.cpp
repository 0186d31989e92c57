#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const LossUse* use = trace.training_loss();
  if (use == nullptr || !use->input || use->input->shape.size() != 2) {
    return;
  }
  const TensorFacts& input = *use->input;
  // Pixels at the edge of pictures are constant, and batches are small: tables only.
  if (input.shape[1] > 40 || input.shape[0] < 16) {
    return;
  }
  const std::vector<const Layer*> layers = trace.layers_in_order();
  if (!layers.empty() && is_normalisation(*layers.front())) {
    return;
  }
  const bool suffers = progress_of(trace).fails() || has_broken_down(trace);
  if (!suffers && !trace.ended()) {
    return;
  }
  if (input.column_scale_ratio.value_or(0) > 1e3) {
    report.at_run(0, "columns of the input differ in scale by a factor of more than a thousand")
        .severity(suffers ? Severity::warning : Severity::info)
        .evidence(format("largest standard deviation of a column divided by the smallest: {}",
                         number(*input.column_scale_ratio)))
        .help("standardise each column with the mean and standard deviation of the training data");
  } else if (input.constant_columns.value_or(0) > 0 && input.shape[0] >= 128) {
    report
        .at_run(0,
                format("{} of {} columns of the input are constant",
                       *input.constant_columns,
                       input.shape[1]))
        .severity(Severity::info)
        .help(
            "a constant column carries no information; check whether it was filled in by mistake");
  }
}

extern const Symptom mixed_feature_scales{
    .name = "mixed-feature-scales",
    .summary = "Finds columns of the input that are constant or differ widely in scale",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
