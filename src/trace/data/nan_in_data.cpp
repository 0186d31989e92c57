#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <utility>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const LossUse* use : training_losses(trace)) {
    for (const auto& [name, facts] : {std::pair("input", &use->input), {"target", &use->target}}) {
      if (!*facts || (*facts)->nan + (*facts)->inf == 0) {
        continue;
      }
      report
          .at(use->site,
              use->step,
              format("the {} of the model contains NaN or infinite values", name))
          .evidence(format("{} NaN and {} infinite values in a batch of shape {}",
                           (*facts)->nan,
                           (*facts)->inf,
                           print_shape((*facts)->shape)))
          .help("drop or fill the incomplete records before training");
      return;
    }
  }
  for (const NonFinite& found : trace.non_finites()) {
    if (found.operation == "data") {
      report.at(found.site, found.step, "a batch of data contains NaN or infinite values")
          .help("drop or fill the incomplete records before training");
      return;
    }
  }
}

extern const Symptom nan_in_data{
    .name = "nan-in-data",
    .summary = "Finds inputs or targets that contain NaN or infinite values",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR001 TR016 TR018 TR019",
    .check = check,
};

} // namespace faultline::trace
