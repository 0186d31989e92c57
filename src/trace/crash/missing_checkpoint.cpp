#include "trace/crash.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::checkpoint) {
    return;
  }
  report_crash(trace, report, "the program reads a saved model that does not exist")
      .help("write the checkpoint before it is read, under the same name, and check the working "
            "folder");
}

extern const Symptom missing_checkpoint{
    .name = "missing-checkpoint",
    .summary = "Finds a checkpoint that is read but was never written",
    .type = "training/training-process/reference-to-non-existing-checkpoint",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
