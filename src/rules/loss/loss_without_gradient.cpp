#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

#include <set>
#include <utility>

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
  Draft& draft =
      report
          .add(call.span,
               format("`backward` of a loss of shape {} instead of one number", loss->shape.text()))
          .help("reduce it first: `loss.mean().backward()`")
          .cause(&call);
  if (loss->producer != nullptr && loss->producer->span != call.span) {
    draft.note(loss->producer->span,
               format("made by `{}`, which keeps one value for each element",
                      written(program, *loss->producer)));
  }
}

// What is found on the way from a loss back to the outputs.
struct Path {
  bool reaches = false;       // the outputs, with a gradient
  bool is_known = true;       // everything on the way
  const Call* stop = nullptr; // where a gradient ends that would have reached them
};

// A tensor on the way, and where the gradient ended between it and the loss; null if nowhere.
struct Way {
  const Tensor* tensor = nullptr;
  const Call* stop = nullptr;
};

static Path path_to(const Tensor& outputs, const Tensor& loss)
{
  Path path;
  std::set<std::pair<const Tensor*, bool>> seen;
  std::vector<Way> open = {{&loss, nullptr}};
  while (!open.empty()) {
    const auto [tensor, stop] = open.back();
    open.pop_back();
    if (tensor == &outputs) {
      path.reaches = path.reaches || stop == nullptr;
      path.stop = stop != nullptr ? stop : path.stop;
    } else if (seen.emplace(tensor, stop != nullptr).second && tensor->producer != nullptr) {
      const Call& call = *tensor->producer;
      path.is_known = path.is_known && call.api != nullptr;
      for (const Tensor* input : call.inputs()) {
        open.push_back({input, call.has(program::k_no_gradient) ? &call : stop});
      }
    }
  }
  return path;
}

// A loss function of the program must depend on what the model gives, by operations that have a
// gradient.
static void check_custom(const Program& program, const LossUse& use, Reporter& report)
{
  const auto* loss = program::as<Tensor>(use.computed);
  if (loss == nullptr || use.prediction == nullptr) {
    return;
  }
  const Path path = path_to(*use.prediction, *loss);
  if (path.reaches || !path.is_known) {
    return;
  }
  Draft& draft =
      report
          .add(use.span,
               path.stop != nullptr ? format("no gradient flows through `{}` in this loss",
                                             written(program, *path.stop))
                                    : "this loss does not depend on the outputs of the model")
          .help("use operations that have a gradient, from the outputs to the loss")
          .cause(&use);
  if (path.stop != nullptr) {
    draft.note(path.stop->span, "the gradient ends here");
  }
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    check_custom(program, use, report);
  }
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
    .type = "training/loss-function/wrong-loss-function-calculation",
    .fix_pattern = "loss-function",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
