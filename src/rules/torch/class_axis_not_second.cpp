#include "rules/facts.hpp"
#include "rules/gradients.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;
using program::Dim;

namespace {

// The dense layer that made these scores, if nothing has moved its axes since.
const Call* dense_layer(const Tensor* scores)
{
  while (scores != nullptr && scores->producer != nullptr) {
    const Call* call = scores->producer;
    if (call->is("dense")) {
      return call;
    }
    const bool keeps_axes = call->is("log_softmax") || call->is("softmax") ||
                            call->is("identity") || call->is("contiguous") || call->is("cast") ||
                            call->is("to_device") || call->has(program::k_dropping);
    const Tensor* input = call->input();
    if (!keeps_axes || input == scores) {
      return nullptr;
    }
    scores = input;
  }
  return nullptr;
}

// The features of each step come from something that works on sequences, so axis 1 is time.
bool comes_from_sequence(const History& history, const Call& dense)
{
  constexpr std::string_view k_ops[] = {
      "embedding", "rnn", "lstm", "gru", "attention", "transformer"};
  return std::ranges::any_of(history.calls_behind(dense.input()), [&k_ops](const Call* call) {
    return std::ranges::find(k_ops, call->op()) != std::end(k_ops);
  });
}

void check(const Program& program, Reporter& report)
{
  const History history(program);
  for (const LossUse& use : program.losses()) {
    const bool counts_classes =
        use.kind == program::LossKind::sparse_categorical || use.kind == program::LossKind::nll;
    if (use.framework != "torch" || !counts_classes || use.prediction == nullptr ||
        use.prediction->shape.rank() != 3) {
      continue;
    }
    const Call* dense = dense_layer(use.prediction);
    const auto* target = as<Tensor>(use.target);
    if (dense == nullptr ||
        (target != nullptr && target->shape.has_rank() && *target->shape.rank() != 2)) {
      continue;
    }
    const program::Shape& scores = use.prediction->shape;
    const Dim steps = target != nullptr ? target->shape.at(1) : Dim::top();
    const bool is_time = scores.at(1).compare(steps) == Dim::Comparison::equal &&
                         scores.at(2).compare(steps) != Dim::Comparison::equal;
    const bool is_classes = scores.at(2).compare(steps) == Dim::Comparison::equal;
    if (is_classes || !(is_time || comes_from_sequence(history, *dense))) {
      continue;
    }
    report
        .add(use.prediction_span,
             format("scores of shape {} have their classes in the last axis, not in the second",
                    scores.text()))
        .label("the loss takes axis 1 for the classes")
        .note(dense->span, "this layer puts the classes last")
        .help("swap the axes with `.transpose(1, 2)`, or flatten both: `.reshape(-1, classes)` and "
              "`.reshape(-1)`")
        .cause(use.call);
  }
}

} // namespace

extern const Rule class_axis_not_second{
    .name = "class-axis-not-second",
    .summary = "Finds scores of sequences whose class axis is not where the loss expects it",
    .applies = "torch",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 5,
    .check = check,
};

} // namespace faultline::rules
