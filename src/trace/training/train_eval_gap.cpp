#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const Experiment* modes = trace.experiment("eval-mode");
  const double train = modes == nullptr ? k_unknown : setting(modes->values, "train");
  const double eval = modes == nullptr ? k_unknown : setting(modes->values, "eval");
  const bool has_norm = std::ranges::any_of(
      trace.layers(), [](const auto& entry) { return is_normalisation(entry.second); });
  if (!(train > 1e-3) || !(eval > 1.5 * train) || !has_norm) {
    return; // without dropout the loss is lower in evaluation mode, which is as it should be
  }
  report.at_run(last_step(trace), "the model is much worse in evaluation mode on the same batch")
      .severity(eval > 5 * train && setting(modes->values, "step") >= 200 ? Severity::warning
                                                                          : Severity::info)
      .evidence(
          format("loss {} in training mode, {} in evaluation mode", number(train), number(eval)))
      .help("the running averages of batch normalisation do not fit the data: check momentum, "
            "batch size "
            "and which batches it saw");
}

extern const Symptom train_eval_gap{
    .name = "train-eval-gap",
    .summary = "Finds a model that is much worse in evaluation mode on the same batch",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
