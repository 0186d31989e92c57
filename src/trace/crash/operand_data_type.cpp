#include "trace/crash.hpp"
#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::data_type) {
    return;
  }
  const Crash& crash = *trace.crash();
  Draft& draft =
      report_crash(trace, report, "an operation does not accept a tensor of this data type");
  const auto types = crash.facts.find("dtypes");
  if (types != crash.facts.end() && types->is_array() && !types->empty() &&
      types->front().is_string()) {
    draft.evidence(
        format("the input of the layer is `{}`", types->front().get_ref<const std::string&>()));
  }
  const Layer* layer = trace.layer(crash.layer);
  if (layer != nullptr && is_learning(*layer)) {
    draft
        .type("tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
              "wrong-type-of-input-data-for-a-layer")
        .help("convert the data to the type of the weights, for instance with .float()");
  } else {
    draft.help("convert the tensor: indices and class labels are integers, everything else 32-bit "
               "floats");
  }
}

extern const Symptom operand_data_type{
    .name = "operand-data-type",
    .summary = "Finds the tensor whose data type an operation does not accept",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
