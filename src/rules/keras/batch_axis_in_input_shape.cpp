#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& fit : program.calls()) {
    if (!fit.is("fit")) {
      continue;
    }
    const program::Argument* declared = declared_input_shape(program::as<Instance>(fit.self));
    const auto* data = program::as<Tensor>(fit.arg("x"));
    const auto* sizes =
        declared != nullptr ? program::as<program::Sequence>(declared->value) : nullptr;
    if (data == nullptr || sizes == nullptr || !data->shape.has_rank() ||
        data->shape.dims().empty() || sizes->items.size() != data->shape.dims().size()) {
      continue;
    }
    const std::optional<int64_t> first = int_of(sizes->items.front());
    const std::optional<int64_t> samples = data->shape.at(0).constant();
    if (!first || !samples || *first != *samples) {
      continue;
    }
    report
        .add(declared->span,
             format("the input shape holds the {} samples of the data {}",
                    *samples,
                    data->shape.text()))
        .note(fit.span, "trained with these data")
        .help(format("leave the first axis out: `{}`", data->shape.behind(1).text()))
        .cause(&fit);
  }
}

extern const Rule batch_axis_in_input_shape{
    .name = "batch-axis-in-input-shape",
    .summary = "Finds input shapes that include the number of samples",
    .applies = "keras",
    .type = "model/layers/layer-properties/wrong-defined-input-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
