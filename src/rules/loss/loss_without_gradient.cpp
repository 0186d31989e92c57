#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// `loss.backward()` needs one number: PyTorch refuses the loss of each sample.
static void check_backward(const Program& program, const Call& call, Reporter& report)
{
  const auto* loss = program::as<Tensor>(call.self);
  const Ref gradient = call.arg("gradient");
  const bool has_gradient = gradient != nullptr && gradient->kind != program::Kind::none;
  if (loss == nullptr || has_gradient || !loss->shape.has_rank() || *loss->shape.rank() == 0 ||
      loss->shape.elements().is(1)) {
    return;
  }
  for (const program::Dim& dim : loss->shape.dims()) {
    if (dim.is_unknown()) {
      return; // may be one number after all
    }
  }
  Draft& draft = report
                     .add(call.span,
                          format("`backward` of a loss of shape {} instead of one number",
                                 loss->shape.text()))
                     .help("reduce it first: `loss.mean().backward()`")
                     .cause(&call);
  if (loss->producer != nullptr && loss->producer->span != call.span) {
    draft.note(loss->producer->span,
               format("made by `{}`, which keeps one value for each element",
                      written(program, *loss->producer)));
  }
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.is("backward")) {
      check_backward(program, call, report);
    }
  }
}

extern const Rule loss_without_gradient{
    .name = "loss-without-gradient",
    .summary = "Finds losses that no gradient flows from: not a number, constant, or blind to the "
               "outputs",
    .applies = "any",
    .leaf = "L02",
    .fix = "LF",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
