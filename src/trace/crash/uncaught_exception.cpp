#include "trace/crash.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::other) {
    return;
  }
  report_crash(trace, report, "the program ended with an exception").severity(Severity::info);
}

extern const Symptom uncaught_exception{
    .name = "uncaught-exception",
    .summary = "Finds an exception that nobody caught and that nothing else explains",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .check = check,
};

} // namespace faultline::trace
