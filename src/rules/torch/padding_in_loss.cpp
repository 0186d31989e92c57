#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

namespace {

// The call that padded the sequences, looked for behind operations that only move elements.
const Call* padded_by(const Tensor* tensor)
{
  const Call* producer = value_producer(tensor);
  return producer != nullptr && producer->name == "torch.nn.utils.rnn.pad_sequence" ? producer
                                                                                    : nullptr;
}

void check(const Program& program, Reporter& report)
{
  for (const LossUse& loss : program.losses()) {
    const Call* padding = padded_by(as<Tensor>(loss.target));
    if (padding == nullptr || loss.call == nullptr || loss.framework != "torch" ||
        (loss.kind != program::LossKind::sparse_categorical &&
         loss.kind != program::LossKind::nll)) {
      continue;
    }
    const auto value = number_of(padding->arg("padding_value"));
    const auto ignored = number_of(setting_of(*loss.call, {"ignore_index"}));
    const auto reduction = text_of(setting_of(*loss.call, {"reduction"}));
    const bool is_weighed = written_setting(*loss.call, {"weight"}) != nullptr;
    if (!value || !ignored || *value == *ignored || !reduction || *reduction == "none" ||
        is_weighed) {
      continue;
    }
    report.add(loss.span, "the loss averages over the padding of its targets")
        .note(padding->span, format("the targets are padded with {:g}", *value))
        .help(format("leave padding out: `ignore_index={:g}`", *value))
        .cause(&loss);
  }
}

} // namespace

extern const Rule padding_in_loss{
    .name = "padding-in-loss",
    .summary = "Finds losses that count the padding of their targets",
    .applies = "torch",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
