#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  std::vector<Check> checks = trace.checks();
  std::erase_if(checks, [](const Check& check) { return check.memory_kib == 0 || check.step < 5; });
  if (checks.size() < 8) {
    return;
  }
  const auto recent = std::span(checks).last(8);
  const uint64_t first = recent.front().memory_kib;
  const uint64_t middle = recent[4].memory_kib;
  const uint64_t last = recent.back().memory_kib;
  for (size_t i = 1; i < recent.size(); ++i) {
    if (recent[i].memory_kib <= recent[i - 1].memory_kib) {
      return;
    }
  }
  const uint32_t steps = recent.back().step - recent.front().step;
  const bool goes_on = last - middle > (middle - first) / 3; // caches grow only at first
  if (steps < 50 || last - first < 64 * 1024 ||
      static_cast<double>(last) < 1.2 * static_cast<double>(first) || !goes_on) {
    return;
  }
  report.at_run(recent.front().step, "memory grows with every step")
      .evidence(format("{} MiB at step {}, {} MiB at step {}",
                       first / 1024,
                       recent.front().step,
                       last / 1024,
                       recent.back().step))
      .help("add up loss.item() instead of the loss, detach what is kept, and free tensors that "
            "are no longer used");
}

extern const Symptom memory_grows{
    .name = "memory-grows",
    .summary = "Finds memory that grows with every step",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
