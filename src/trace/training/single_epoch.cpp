#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

namespace {

// The only call of fit(), if there was one: a program may call it once an epoch.
const Experiment* only_fit(const Trace& trace)
{
  const auto& experiments = trace.experiments();
  const auto is_fit = [](const Experiment& experiment) { return experiment.name == "fit"; };
  return std::ranges::count_if(experiments, is_fit) == 1
             ? &*std::ranges::find_if(experiments, is_fit)
             : nullptr;
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  // Only where the framework runs the loop is the number of epochs known.
  const Experiment* fit = only_fit(trace);
  if (fit == nullptr || !trace.end() || trace.end()->status != 0) {
    return;
  }
  const auto epochs = fit->values.find("epochs");
  const bool is_boolean = epochs != fit->values.end() && epochs->is_boolean();
  if (is_boolean) {
    report.at_run(last_step(trace), "the number of epochs is a boolean, so training ends after one")
        .evidence(format("fit() was called with epochs: {}", epochs->get<bool>()))
        .help("convert the option to a number");
    return;
  }
  const std::vector<double> losses = loss_windows(trace, 3);
  if (setting(fit->values, "epochs") != 1 || losses.empty() || trace.steps().size() < 8) {
    return;
  }
  const std::vector<double> accuracies = accuracy_windows(trace, 3);
  const bool unfinished = accuracies.empty() || accuracies.back() < 0.85;
  if (losses[2] > 0 && losses[2] < 0.95 * losses[1] && unfinished) {
    report.at_run(last_step(trace), "training ends after one epoch, in the middle of learning")
        .evidence(format("loss {}, {} and {} in the thirds of the epoch",
                         number(losses[0]),
                         number(losses[1]),
                         number(losses[2])))
        .help("check what is passed as the number of epochs");
  }
}

extern const Symptom single_epoch{
    .name = "single-epoch",
    .summary = "Finds a fit of one epoch that ends in the middle of learning",
    .type = "training/hyperparameters/suboptimal-number-of-epochs",
    .fix_pattern = "iterations",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .explains = "TR029",
    .check = check,
};

} // namespace faultline::trace
