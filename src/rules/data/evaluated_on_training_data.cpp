#include "rules/facts.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

// There are data that were set aside for testing.
static bool has_test_data(const Program& program)
{
  return std::ranges::any_of(program.calls(), [](const Call& call) {
    return call.is("train_test_split") || call.is("load_data");
  });
}

static void check(const Program& program, Reporter& report)
{
  if (!has_test_data(program)) {
    return;
  }
  for (const Call& fit : program.calls()) {
    const auto* trained =
        fit.is("fit") && fit.self != nullptr ? program::as<Tensor>(fit.arg("x")) : nullptr;
    if (trained == nullptr || fit.given("validation_data") != nullptr ||
        fit.given("validation_split") != nullptr) {
      continue;
    }
    const Call* on_training = nullptr;
    bool on_other = false;
    for (const Call& call : program.calls()) {
      if (call.order < fit.order || call.self != fit.self ||
          !(call.is("evaluate") || call.is("predict"))) {
        continue;
      }
      const bool same = program::as<Tensor>(call.arg("x")) == trained;
      on_other = on_other || !same;
      on_training = same && call.is("evaluate") && on_training == nullptr ? &call : on_training;
    }
    if (on_training != nullptr && !on_other) {
      const program::Argument* x = on_training->argument("x");
      report.add(x->span, "the model is evaluated only with the data it was trained with")
          .note(fit.argument("x")->span, "trained with these")
          .help("evaluate with the test data")
          .cause(on_training);
    }
  }
}

extern const Rule evaluated_on_training_data{
    .name = "evaluated-on-training-data",
    .summary = "Finds models that are tested with the data they were trained with",
    .applies = "any",
    .type = "training/validation-testing/incorrect-train-test-data-split",
    .fix_pattern = "data-wrangling",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
