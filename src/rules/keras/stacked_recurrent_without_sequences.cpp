#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& upper : program.calls()) {
    if (!upper.has(program::k_recurrent) || !upper.name.starts_with("keras.")) {
      continue;
    }
    const Tensor* input = upper.input();
    const Call* lower = value_producer(input);
    if (lower == nullptr || !lower->has(program::k_recurrent) || lower->layer == nullptr ||
        lower->layer->made_by == nullptr ||
        bool_of(lower->setting_value("return_sequences")) == true ||
        (input->shape.has_rank() && input->shape.rank() != 2)) {
      continue;
    }
    const program::Argument* written = lower->layer->made_by->given("return_sequences");
    if (written != nullptr && program::as<program::Constant>(written->value) == nullptr) {
      continue;
    }
    report
        .add(lower->layer->made_by->span,
             "this recurrent layer returns only its last output, and another one follows")
        .note(upper.layer != nullptr && upper.layer->made_by != nullptr ? upper.layer->made_by->span
                                                                        : upper.span,
              "this one needs a sequence")
        .help("add `return_sequences=True`")
        .cause(&upper);
  }
}

extern const Rule stacked_recurrent_without_sequences{
    .name = "stacked-recurrent-without-sequences",
    .summary = "Finds recurrent layers on top of one that returns only its last output",
    .applies = "keras",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format-for-rnn",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
