#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

// The recurrent layer that made a sequence which nothing has condensed since; null if none.
static const Call* sequence_maker(const Tensor* tensor)
{
  for (int depth = 0; tensor != nullptr && depth < 64; ++depth) {
    const Call* call = tensor->producer;
    if (call == nullptr || call->has(program::k_pooling) || call->has(program::k_reshaping) ||
        call->has(program::k_reduction) || call->is("lambda") || call->is("slice")) {
      return nullptr;
    }
    if (call->has(program::k_recurrent)) {
      return bool_of(call->setting_value("return_sequences")) == true ? call : nullptr;
    }
    tensor = call->input();
  }
  return nullptr;
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    const auto* target = program::as<Tensor>(use.target);
    if (use.framework != "keras" || use.prediction == nullptr || target == nullptr ||
        use.prediction->shape.rank() != 3 || !target->shape.has_rank()) {
      continue;
    }
    // One label a sample: a number, or a row of a few classes that is not a row of steps.
    const size_t rank = *target->shape.rank();
    const bool one_each =
        rank == 1 || (rank == 2 && (target->shape.at(1).is(1) ||
                                    target->encoding == program::Encoding::one_hot));
    const Call* maker = sequence_maker(use.prediction);
    if (!one_each || maker == nullptr || maker->layer == nullptr ||
        maker->layer->made_by == nullptr) {
      continue;
    }
    const program::Argument* written = maker->layer->made_by->given("return_sequences");
    report
        .add(written != nullptr ? written->span : maker->layer->made_by->span,
             format("the model predicts a sequence {}, but the labels {} are one per sample",
                    use.prediction->shape.text(),
                    target->shape.text()))
        .note(use.target_span, "the labels")
        .help("drop `return_sequences=True` of the last recurrent layer")
        .cause(use.fit != nullptr ? use.fit : use.call);
  }
}

extern const Rule sequence_output_for_sample_labels{
    .name = "sequence-output-for-sample-labels",
    .summary = "Finds models that predict a sequence although there is one label per sample",
    .applies = "keras",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format-for-rnn",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
