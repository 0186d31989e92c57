#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "used-while-fitting")) {
    report.at(*use, "the model is used before `fit` has made its first step")
        .evidence("`fit` was called earlier and is not done yet")
        .help("wait for it: `await model.fit(…)`");
  }
}

extern const Symptom used_before_trained{
    .name = "used-before-trained",
    .summary = "Finds models that are used before fit() has begun to train them",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
