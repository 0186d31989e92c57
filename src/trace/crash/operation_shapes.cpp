#include "trace/crash.hpp"
#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::operation_shape) {
    return;
  }
  const Crash& crash = *trace.crash();
  Draft& draft = report_crash(trace, report, "the shapes of two tensors are incompatible");
  if (mentions(crash.message,
               {"must match the existing size",
                "number of dimensions",
                "dimension out of range",
                "must be rank",
                "but got rank"})) {
    draft.type("tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape")
        .help("a tensor has an unexpected number of dimensions: find out where an "
              "axis was added or lost");
  } else if (mentions(crash.message,
                      {"target batch_size", "to the input size", "multi-target not supported"})) {
    draft
        .type("tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
              "wrong-shape-of-input-data-for-a-method")
        .help("give the loss a prediction and a target of the same number of samples");
  } else if (mentions(crash.message,
                      {"channels",
                       "2d input",
                       "3d input",
                       "4d input",
                       "unbatched",
                       "should contain",
                       "normalized_shape"})) {
    draft
        .type("tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
              "wrong-shape-of-input-data-for-a-layer")
        .help("the layer was made for other data: check its channels and the order of the axes");
  } else if (mentions(crash.message, {"input_size", "expected hidden", "input must have"})) {
    draft.type("tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format-for-rnn")
        .help("check input_size, batch_first and the shape of the hidden state");
  } else {
    draft.help("print the shapes of both operands just before this line");
  }
}

extern const Symptom operation_shapes{
    .name = "operation-shapes",
    .summary = "Finds the operation whose tensors have incompatible shapes",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
