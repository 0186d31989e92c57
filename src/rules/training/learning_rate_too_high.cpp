#include "rules/reporter.hpp"
#include "rules/training/learning_rate.hpp"

#include <array>

namespace faultline::rules {

// Optimizers that scale each step themselves, and so want small rates.
static constexpr std::array<std::string_view, 6> k_adaptive = {
    "adam", "adamw", "adamax", "nadam", "rmsprop", "ftrl"};

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const std::optional<LearningRate> rate = learning_rate_of(call);
    if (!rate) {
      continue;
    }
    const bool adaptive = std::ranges::find(k_adaptive, call.op()) != k_adaptive.end();
    const bool plain = call.is("sgd");
    const double limit = adaptive ? 0.01 : 1.0;
    const bool high = adaptive ? rate->value > limit : plain && rate->value >= limit;
    if (!high) {
      continue;
    }
    report
        .add(rate->argument->span,
             format("learning rate {:g} is {} for this optimizer",
                    rate->value,
                    adaptive ? "more than 0.01, too high" : "1 or more, too high"))
        .help(adaptive ? "start from 0.001" : "start from 0.01 to 0.1")
        .cause(&call);
  }
}

extern const Rule learning_rate_too_high{
    .name = "learning-rate-too-high",
    .summary = "Finds learning rates at which the optimizer is likely to diverge",
    .applies = "any",
    .leaf = "H02",
    .fix = "OP",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
