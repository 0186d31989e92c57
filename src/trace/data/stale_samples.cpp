#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

// What the probe compared: targets of a loss, in evaluation the inputs of the model.
static std::string_view compared_in(const Json& values)
{
  return text_of(values, "compared") == "inputs" ? "inputs" : "targets";
}

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "stale-samples")) {
    report
        .at(*use,
            format("the last {} of {} samples of a batch are those of the previous batch",
                   number(setting(use->values, "repeated")),
                   number(setting(use->values, "samples"))))
        .evidence(format("the same {} at the same positions, while the others are new",
                         compared_in(use->values)))
        .help("a reused buffer keeps what was not overwritten: cut it to the samples "
              "that are new");
  }
}

extern const Symptom stale_samples{
    .name = "stale-samples",
    .summary = "Finds batches that end in samples of the previous batch",
    .type = "training/hyperparameters/wrongly-implemented-data-batching",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
