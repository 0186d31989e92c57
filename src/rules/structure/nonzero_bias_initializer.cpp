#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/initial.hpp"

#include <cmath>

namespace faultline::rules {

// Small numbers keep rectifiers alive and do no harm.
static bool is_large(const Initial& initial)
{
  constexpr double k_small_spread = 0.01;
  if (initial.constant) {
    return std::abs(*initial.constant) >= 1;
  }
  return initial.is_random && !(initial.spread && *initial.spread <= k_small_spread);
}

static void check(const Program& program, Reporter& report)
{
  if (!is_trained(program)) {
    return;
  }
  // The bias of a last layer may begin with the labels' mean; gates of recurrent layers have their
  // own convention.
  const std::unordered_set<const Call*> inner = inner_layers(program);
  for (const auto& [layer, initial] : beginnings(program, Part::bias)) {
    if (!is_mixing(*layer) || !inner.contains(layer) || !is_large(initial)) {
      continue;
    }
    Draft& draft = report.add(
        initial.span,
        initial.constant
            ? format("the biases of this layer are initialised with {}", *initial.constant)
            : "the biases of this layer are initialised with random numbers");
    draft.help("initialise the biases with 0");
    if (!layer->span.contains(initial.span)) {
      draft.note(layer->span, "the layer is here");
    }
  }
}

extern const Rule nonzero_bias_initializer{
    .name = "nonzero-bias-initializer",
    .summary = "Finds a hidden layer whose biases are initialised with random or large numbers",
    .applies = "any",
    .type = "model/model-type-and-properties/wrong-weights-initialisation",
    .fix_pattern = "neural-connection",
    .severity = Severity::info,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
