#include "trace/crash.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::second_fit) {
    return;
  }
  report_crash(trace, report, "fit() is called while another fit() is still running")
      .help("wait for the first one: await model.fit(…)");
}

extern const Symptom overlapping_fit{
    .name = "overlapping-fit",
    .summary = "Finds a call of fit() while another one is still running",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
