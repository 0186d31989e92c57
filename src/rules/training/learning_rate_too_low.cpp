#include "rules/reporter.hpp"
#include "rules/training/learning_rate.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  constexpr double k_lowest = 1e-7;
  for (const Call& call : program.calls()) {
    const std::optional<LearningRate> rate = learning_rate_of(call);
    if (!rate || rate->value >= k_lowest) {
      continue;
    }
    report
        .add(rate->argument->span,
             rate->value <= 0
                 ? format("learning rate {:g} is not positive: nothing is learnt", rate->value)
                 : format("learning rate {:g} is below 1e-07: nothing will move", rate->value))
        .help("start from the optimizer's default")
        .cause(&call);
  }
}

extern const Rule learning_rate_too_low{
    .name = "learning-rate-too-low",
    .summary = "Finds learning rates so low that nothing is learned",
    .applies = "any",
    .type = "training/hyperparameters/suboptimal-learning-rate",
    .fix_pattern = "optimizer",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
