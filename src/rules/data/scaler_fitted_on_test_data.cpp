#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static bool is_test_data(const Program& program, const program::Argument& argument)
{
  const auto* data = program::as<Tensor>(argument.value);
  if (data != nullptr && data->source != nullptr) {
    return data->source->split == program::DataSource::Split::test;
  }
  const std::string_view text = program.text(argument.span);
  return text.find("test") != text.npos && text.find("train") == text.npos;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const bool fits = call.is("fit_transform") || call.is("fit_scaler");
    if (!fits || call.self == nullptr || call.arguments.empty() ||
        !is_test_data(program, call.arguments.front())) {
      continue;
    }
    // Fitted before on other data: the training data.
    for (const Call& earlier : program.calls()) {
      const bool fitted = (earlier.is("fit_transform") || earlier.is("fit_scaler")) &&
                          earlier.self == call.self && earlier.order < call.order &&
                          !earlier.arguments.empty() &&
                          !is_test_data(program, earlier.arguments.front());
      if (!fitted) {
        continue;
      }
      Draft& draft =
          report.add(call.span, "fitted again on the test data, so both are scaled differently")
              .note(earlier.span, "fitted on the training data here")
              .help("use `transform` for the test data")
              .cause(&call);
      const std::string text(program.text(call.callee));
      if (call.is("fit_transform") && text.ends_with(".fit_transform")) {
        draft.replace(call.callee, text.substr(0, text.size() - 13) + "transform")
            .unsafe("transform the test data");
      }
      break;
    }
  }
}

extern const Rule scaler_fitted_on_test_data{
    .name = "scaler-fitted-on-test-data",
    .summary = "Finds scalers that are fitted again on the test data",
    .applies = "any",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
