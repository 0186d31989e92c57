#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/initial.hpp"

#include <algorithm>

namespace faultline::rules {

// Weights that are set by hand afterwards.
static bool is_set_later(const Program& program, const Call& layer)
{
  return layer.layer != nullptr && std::ranges::any_of(program.calls(), [&layer](const Call& call) {
           return call.is("set_weights") && call.self == layer.layer;
         });
}

static void check(const Program& program, Reporter& report)
{
  if (!is_trained(program)) {
    return;
  }
  // The units of a last layer differ by their labels, and a layer that is added to another path
  // may begin with nothing: only layers below another one stay alike.
  const std::unordered_set<const Call*> inner = inner_layers(program);
  for (const auto& [layer, initial] : beginnings(program, Part::weights)) {
    const auto units = units_of(*layer);
    if (!initial.constant || !inner.contains(layer) || layer->is("embedding") || !units ||
        *units < 2 || is_set_later(program, *layer)) {
      continue;
    }
    Draft& draft =
        report.add(initial.span,
                   format("all weights of this layer are initialised with {}, so its {} units "
                          "learn the same",
                          *initial.constant,
                          *units));
    draft.help("initialise with random weights");
    if (!layer->span.contains(initial.span)) {
      draft.note(layer->span, "the layer is here");
    }
    const std::string_view text = program.text(initial.span);
    if (text.starts_with('\'') || text.starts_with('"')) {
      draft.replace(initial.span, "'glorot_uniform'").unsafe("initialise with random weights");
    }
  }
}

extern const Rule constant_weight_initializer{
    .name = "constant-weight-initializer",
    .summary = "Finds a hidden layer whose weights are all initialised with the same value",
    .applies = "any",
    .type = "model/model-type-and-properties/wrong-weights-initialisation",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
