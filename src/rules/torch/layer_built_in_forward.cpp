#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

// Where a layer is built during the forward pass of some module, seen from that pass: the layer's
// own constructor call, or that of the user's class whose constructor builds it.
static std::optional<Span> place_in_forward(const Call& call)
{
  Span place = call.span;
  for (const Context* region = call.context; region != nullptr; region = region->parent) {
    if (region->kind != Context::Kind::function) {
      continue;
    }
    if (function_name(region) == "forward" && is_module(region->self)) {
      return place;
    }
    if (function_name(region) != "__init__") {
      return std::nullopt; // a function that may keep what it builds
    }
    place = region->span;
  }
  return std::nullopt;
}

// `if self.fc is None: self.fc = nn.Linear(…)` builds it once.
static bool is_built_once(const Program& program, const Call& call)
{
  return call.within(Context::Kind::branch) != nullptr &&
         std::ranges::any_of(program.stores(), [&call](const program::Store& store) {
           return store.value == call.result && is_module(store.object);
         });
}

static void check(const Program& program, Reporter& report)
{
  constexpr uint32_t k_matters = program::k_learning | program::k_normalising | program::k_dropping;
  for (const Call& call : program.calls()) {
    if (call.api == nullptr || call.layer != nullptr || call.api->role != program::Role::layer ||
        !call.api->name.starts_with("torch") || !call.api->has(k_matters) ||
        as<Instance>(call.result) == nullptr) {
      continue;
    }
    const std::optional<Span> place = place_in_forward(call);
    if (!place || is_built_once(program, call)) {
      continue;
    }
    const bool learns = !call.api->has(program::k_dropping);
    report.add(*place, "a layer is built anew in each forward pass")
        .label(learns ? "fresh weights every time, which no optimizer knows"
                      : "always in training mode, whatever the mode of the model")
        .help("build it in `__init__`, keep it in an attribute and call that");
  }
}

extern const Rule layer_built_in_forward{
    .name = "layer-built-in-forward",
    .summary = "Finds layers that are built inside forward",
    .applies = "torch",
    .type = "model/model-type-and-properties/wrong-model-initialisation",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
