#include "trace/crash.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::disposed) {
    return;
  }
  report_crash(trace, report, "a tensor is used after it was freed")
      .help("return it from tf.tidy, or protect it with tf.keep");
}

extern const Symptom disposed_tensor{
    .name = "disposed-tensor",
    .summary = "Finds the use of a tensor that was freed",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
