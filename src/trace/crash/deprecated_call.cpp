#include "trace/crash.hpp"
#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::deprecated) {
    return;
  }
  Draft& draft = report_crash(trace, report, "the library no longer supports this call");
  if (mentions(trace.crash()->message, {"0-dim tensor"})) {
    draft.help("read the value of a zero-dimensional tensor with .item()");
  } else {
    draft.help("look up its replacement in the release notes of the installed version");
  }
}

extern const Symptom deprecated_call{
    .name = "deprecated-call",
    .summary = "Finds a call that the library no longer supports",
    .type = "api/deprecated-api",
    .fix_pattern = "versioning",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
