#include "trace/crash.hpp"
#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::backward) {
    return;
  }
  const std::string& message = trace.crash()->message;
  Draft& draft = report_crash(trace, report, "the framework refuses to compute gradients");
  if (mentions(message, {"second time"})) {
    draft.help("a tensor of the previous step is used again: detach it, or compute it again");
  } else if (mentions(message, {"inplace"})) {
    draft.type("training/training-process/wrong-calculation-of-the-gradients-for-backpropagation")
        .help("an in-place operation has overwritten what the gradient needs: use the "
              "one that makes a new tensor");
  } else if (mentions(message, {"scalar outputs"})) {
    draft.type("training/loss-function/wrong-loss-function-calculation")
        .fix_pattern("loss-function")
        .help("average the loss over the batch before backward()");
  } else {
    draft.help("no trained parameter leads to the loss: look for detach, .data, numpy, no_grad "
               "or another model's parameters");
  }
}

extern const Symptom backward_refused{
    .name = "backward-refused",
    .summary = "Finds a backward pass that the framework refuses",
    .type = "training/training-process/wrongly-implemented-back-propagation",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
