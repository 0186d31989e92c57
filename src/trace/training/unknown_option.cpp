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
        .evidence("TensorFlow.js says nothing and uses the default")
        .help(nearest.empty() ? "look into the documentation of the call"
                              : format("write `{}`", nearest));
  }
}

extern const Symptom unknown_option{
    .name = "unknown-option",
    .summary = "Finds options of calls that the library does not know and leaves out",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
