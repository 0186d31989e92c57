#include "trace/crash.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::missing_call) {
    return;
  }
  report_crash(trace, report, "a call that has to come first is missing")
      .help("follow the message: compile the model, or call super().__init__()");
}

extern const Symptom call_missing_before{
    .name = "call-missing-before",
    .summary = "Finds a call that has to come first and is missing",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
