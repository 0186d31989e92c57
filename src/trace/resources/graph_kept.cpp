#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* seen : observations_of(trace, "graph-kept")) {
    const double steps = setting(seen->values, "steps");
    const double oldest = setting(seen->values, "oldest");
    if (!(steps >= 5)) {
      continue;
    }
    report.at(*seen, "the graphs of past steps are kept")
        .evidence(format("at step {}, those of {} inspected steps are still in memory, the "
                         "oldest of step {}",
                         seen->step,
                         steps,
                         oldest))
        .help("keep numbers instead of tensors: loss.item() where it is added up or stored, "
              "detach() where a tensor goes on to the next step");
    return;
  }
}

extern const Symptom graph_kept{
    .name = "graph-kept",
    .summary = "Finds tensors that keep the graphs of past steps in memory",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .explains = "TR028",
    .check = check,
};

} // namespace faultline::trace
