#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/layers.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static std::optional<std::vector<int64_t>> window_of(const Call& layer)
{
  if (is_convolution(layer)) {
    return kernel_of(layer);
  }
  return is_pooling(layer) ? ints_of(setting_of(layer, {"pool_size", "kernel_size"}))
                           : std::nullopt;
}

// Some window is surely larger than what it slides over, whether padding helps or not.
static bool is_too_large(const Call& layer)
{
  const auto window = window_of(layer);
  const Tensor* maps = data_input(layer);
  if (!window || maps == nullptr) {
    return false;
  }
  const std::vector<program::Dim> sizes = positions_of(layer, *maps);
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t window_size = window->size() == 1 ? window->front() : window->at(i);
    if (sizes[i].constant() && *sizes[i].constant() < window_size) {
      return true;
    }
  }
  return false;
}

// The first layer of the path that is too large for its input: where the sizes went wrong.
static const Call& first_too_large(const Call& last)
{
  const Call* first = &last;
  for (const Call* call = call_before(last); call != nullptr; call = call_before(*call)) {
    if (is_too_large(*call)) {
      first = call;
    }
  }
  return *first;
}

static void check(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    if (problem.kind != program::ProblemKind::empty_result || problem.call == nullptr ||
        !(is_convolution(*problem.call) || is_pooling(*problem.call))) {
      continue;
    }
    const Call& layer = first_too_large(*problem.call);
    const bool is_earlier = &layer != problem.call;
    const Tensor* maps = data_input(layer);
    Draft& draft =
        report
            .add(is_earlier ? layer.span : problem.span,
                 is_earlier ? format("the window of `{}` is larger than its input {}",
                                     written(program, layer),
                                     maps->shape.text())
                            : problem.message)
            .help("use smaller windows or strides, or padding, or fewer of these layers")
            .type(is_pooling(layer)
                      ? FaultType("model/layers/layer-properties/"
                                  "wrong-amount-and-type-of-pooling-in-convolutional-layer")
                      : FaultType("model/layers/layer-properties/"
                                  "wrong-filter-size-for-a-convolutional-layer"))
            .cause(problem.call);
    if (is_earlier) {
      draft.note(problem.span, problem.message);
    }
    if (const Call* before = call_before(layer)) {
      draft.note(before->span, format("the input {} comes from here", maps->shape.text()));
    }
  }
}

extern const Rule window_larger_than_input{
    .name = "window-larger-than-input",
    .summary = "Finds a convolution or pooling whose window is larger than what it slides over",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-filter-size-for-a-convolutional-layer",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
