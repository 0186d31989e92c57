#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* seen : observations_of(trace, "memory-misread")) {
    const std::string type = text_of(seen->values, "dtype");
    const std::string meant = text_of(seen->values, "looks_like");
    if (type.empty() || meant.empty()) {
      continue;
    }
    report.at(*seen, format("memory is read as {}, but holds values of type {}", type, meant))
        .evidence(format("{} % of the values are absurd as {}; as {} they are between {} and {}",
                         number(100 * setting(seen->values, "odd")),
                         type,
                         meant,
                         number(setting(seen->values, "smallest")),
                         number(setting(seen->values, "largest"))))
        .help("name the type of the memory in the options of from_blob, and convert the tensor");
    return;
  }
}

extern const Symptom memory_misread{
    .name = "memory-misread",
    .summary = "Finds memory that is passed as a tensor of the wrong type",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR001 TR002 TR003 TR004 TR007 TR016 TR018 TR019",
    .check = check,
};

} // namespace faultline::trace
