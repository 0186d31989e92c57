#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  std::vector<Check> checks = trace.checks();
  std::erase_if(checks, [](const Check& check) { return check.tensors == 0 || check.step < 2; });
  if (checks.size() < 5) {
    return;
  }
  const auto recent = std::span(checks).last(5);
  for (size_t i = 1; i < recent.size(); ++i) {
    // At least one more for every step in between.
    const uint64_t steps =
        recent[i].step > recent[i - 1].step ? recent[i].step - recent[i - 1].step : 1;
    if (recent[i].tensors < recent[i - 1].tensors + steps) {
      return;
    }
  }
  const uint32_t steps = recent.back().step - recent.front().step;
  if (steps < 5 || recent.back().step < recent.front().step) {
    return;
  }
  report.at_run(recent.front().step, "the number of live tensors grows with every step")
      .evidence(format("{} at step {}, {} at step {}",
                       recent.front().tensors,
                       recent.front().step,
                       recent.back().tensors,
                       recent.back().step))
      .help("wrap the step in tf.tidy, or dispose of what it no longer needs");
}

extern const Symptom live_tensors_grow{
    .name = "live-tensors-grow",
    .summary = "Finds tensors that are made in every step and never freed",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .explains = "TR028",
    .check = check,
};

} // namespace faultline::trace
