#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!call.has(program::k_recurrent) || !call.name.starts_with("keras.")) {
      continue;
    }
    const Tensor* input = call.input();
    if (input == nullptr || input->shape.rank() != 2) {
      continue;
    }
    const Call* lower = value_producer(input);
    if (lower != nullptr && lower->has(program::k_recurrent)) {
      continue; // stacked layers have a rule of their own
    }
    report
        .add(call.layer != nullptr && call.layer->made_by != nullptr ? call.layer->made_by->span
                                                                     : call.span,
             format("a recurrent layer expects (batch, time, features), but is given {}",
                    input->shape.text()))
        .help("give the data a time axis: `x.reshape(n, steps, features)`")
        .cause(&call);
  }
}

extern const Rule recurrent_without_time_axis{
    .name = "recurrent-without-time-axis",
    .summary = "Finds recurrent layers whose input has no time axis",
    .applies = "keras",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format-for-rnn",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
