#include "rules/reporter.hpp"
#include "rules/training/learning_rate.hpp"

#include <algorithm>
#include <array>

namespace faultline::rules {

// Optimizers that scale each step themselves, and so want small rates.
static constexpr std::array<std::string_view, 6> k_adaptive = {
    "adam", "adamw", "adamax", "nadam", "rmsprop", "ftrl"};

// A default that the user may override, in a part that may not run, says little.
static bool is_optional(const Call& call, const LearningRate& rate)
{
  return rate.argument->value->assumed && call.within(program::Context::Kind::branch) != nullptr;
}

// Every unit in the program is bounded and has a slope of one at most, so that gradients are small:
// textbooks train such networks at rates above one.
static bool has_bounded_units_only(const Program& program)
{
  bool found = false;
  for (const Call& call : program.calls()) {
    const bool bounded = call.is("sigmoid") || call.is("tanh") || call.is("softmax");
    if (call.has(program::k_activation) && !bounded && !call.is("log_softmax")) {
      return false;
    }
    found = found || call.is("sigmoid") || call.is("tanh");
  }
  return found;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const std::optional<LearningRate> rate = learning_rate_of(call);
    if (!rate || is_optional(call, *rate)) {
      continue;
    }
    const bool adaptive = std::ranges::find(k_adaptive, call.op()) != k_adaptive.end();
    constexpr double k_unusual = 0.01;
    constexpr double k_too_high = 0.1;
    constexpr double k_never = 10; // plain gradient descent, whatever the units
    if (adaptive && rate->value > k_unusual) {
      report
          .add(rate->argument->span,
               format("learning rate {:g} is high for this optimizer", rate->value))
          .help("start from 0.001")
          .severity(rate->value >= k_too_high ? Severity::warning : Severity::info)
          .cause(&call);
    } else if (call.is("sgd") && rate->value >= 1) {
      const bool may_do = rate->value < k_never && has_bounded_units_only(program);
      report
          .add(rate->argument->span,
               format("learning rate {:g} is {} for plain gradient descent",
                      rate->value,
                      may_do ? "high" : "too high"))
          .help("start from 0.01 to 0.1")
          .severity(may_do ? Severity::info : Severity::warning)
          .cause(&call);
    }
  }
}

extern const Rule learning_rate_too_high{
    .name = "learning-rate-too-high",
    .summary = "Finds learning rates at which the optimizer is likely to diverge",
    .applies = "any",
    .type = "training/hyperparameters/suboptimal-learning-rate",
    .fix_pattern = "optimizer",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
