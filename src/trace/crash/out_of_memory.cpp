#include "trace/crash.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::memory) {
    return;
  }
  Draft& draft = report_crash(trace, report, "the program ran out of memory");
  const auto& checks = trace.checks();
  const bool grew = checks.size() >= 3 && checks.front().memory_kib > 0 &&
                    static_cast<double>(checks.back().memory_kib) >
                        1.5 * static_cast<double>(checks.front().memory_kib);
  if (grew) {
    draft.type("training/training-process/wrong-management-of-memory-resources")
        .fix_pattern("api-contract")
        .help("memory grew from step to step: free what is no longer needed")
        .evidence(format("{} MiB at step {}, {} MiB at step {}",
                         checks.front().memory_kib / 1024,
                         checks.front().step,
                         checks.back().memory_kib / 1024,
                         checks.back().step));
  } else {
    draft.help("use smaller batches or a smaller model");
  }
}

extern const Symptom out_of_memory{
    .name = "out-of-memory",
    .summary = "Finds a run that ended because it ran out of memory",
    .type = "training/training-process/model-too-big-to-fit-into-available-memory",
    .fix_pattern = "change-neural-architecture",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
