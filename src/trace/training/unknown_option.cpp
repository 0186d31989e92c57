#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "unknown-option")) {
    const std::string call = text_of(use->values, "call");
    const std::string option = text_of(use->values, "option");
    if (call.empty() || option.empty()) {
      continue;
    }
    const std::string nearest = text_of(use->values, "nearest");
    report.at(*use, format("`{}` has no option `{}`", call, option))
        .evidence("TensorFlow.js silently uses the default")
        .help(nearest.empty() ? "check the documentation of the call"
                              : format("write `{}`", nearest));
  }
}

extern const Symptom unknown_option{
    .name = "unknown-option",
    .summary = "Finds options that a library call does not know and ignores",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
