#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// The call that learnt something from the data on the way to `tensor`; null if none did, or if the
// data were split before.
static const Call* fitted_above(const Tensor* tensor)
{
  constexpr int k_deepest = 64;
  for (int depth = 0; tensor != nullptr && tensor->producer != nullptr && depth < k_deepest;
       ++depth) {
    const Call* call = tensor->producer;
    if (call->is("train_test_split")) {
      return nullptr;
    }
    // Encoders of categories learn names, not statistics.
    const bool encodes = call->name.find("Encoder") != std::string::npos ||
                         call->name.find("Binarizer") != std::string::npos ||
                         call->name.find("Vectorizer") != std::string::npos;
    if (call->is("fit_transform") && !encodes) {
      return call;
    }
    tensor = call->input();
  }
  return nullptr;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& split : program.calls()) {
    if (!split.is("train_test_split")) {
      continue;
    }
    const std::vector<Tensor*> inputs = split.inputs();
    const Call* fitted = inputs.empty() ? nullptr : fitted_above(inputs.front());
    if (fitted == nullptr) {
      continue;
    }
    report.add(fitted->span, "fitted on all data, before they are split: the test data leak in")
        .note(split.span, "split here")
        .help("split first, `fit_transform` the training part and `transform` the test part")
        .cause(fitted);
  }
}

extern const Rule scaler_fitted_before_split{
    .name = "scaler-fitted-before-split",
    .summary = "Finds scalers and selectors that are fitted before the data are split",
    .applies = "any",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
