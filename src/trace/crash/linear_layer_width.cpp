#include "trace/crash.hpp"
#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  if (cause_of(trace.crash()) != CrashCause::linear_shape) {
    return;
  }
  const Crash& crash = *trace.crash();
  // "mat1 and mat2 shapes cannot be multiplied (64x1 and 60x10)"
  const std::vector<int64_t> sizes = numbers_after(crash.message, "cannot be multiplied");
  const std::vector<std::vector<int64_t>> inputs = input_shapes(crash);
  const size_t rank = inputs.empty() ? 0 : inputs.front().size();
  const int64_t width = sizes.size() == 4             ? sizes[1]
                        : !inputs.empty() && rank > 0 ? inputs.front().back()
                                                      : -1;
  const int64_t wanted = sizes.size() == 4 ? sizes[2] : -1;
  const std::vector<const Layer*> called = trace.layers_in_order();
  const bool after_maps = std::ranges::any_of(called,
                                              [](const Layer* layer) {
                                                return is_convolution(*layer) || is_pooling(*layer);
                                              }) ||
                          std::ranges::any_of(trace.layers(), [&crash](const auto& entry) {
                            return entry.first < crash.layer && is_convolution(entry.second);
                          });
  Draft& draft = report_crash_at_layer(
      trace,
      report,
      wanted < 0 ? "the input of a linear layer has the wrong number of features"
                 : format("a linear layer for {} features is given {}", wanted, width));
  if (rank > 2 && after_maps) {
    draft.type("model/layers/missing-redundant-wrong-layer/missing-flatten-layer")
        .fix_pattern("add-layer")
        .help("flatten the feature maps before the first linear layer");
  } else {
    draft.help(wanted < 0 ? "make the layer for the features that it is given"
                          : format("make the layer for {} features, or change what comes before it",
                                   width));
  }
}

extern const Symptom linear_layer_width{
    .name = "linear-layer-width",
    .summary = "Finds the linear layer whose input has the wrong number of features",
    .type = "model/layers/layer-properties/wrong-input-sample-size-for-linear-layer",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::trace
