#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.api == nullptr || call.api->role != program::Role::layer || call.layer != nullptr ||
        !call.name.starts_with("keras.") || !call.has(program::k_learning)) {
      continue;
    }
    const program::Context* around = call.within(program::Context::Kind::function);
    const auto* function =
        around != nullptr ? program::as<program::Function>(around->subject) : nullptr;
    if (function == nullptr || function->name != "call" || function->owner == nullptr ||
        function->owner->api_base == nullptr ||
        !function->owner->api_base->name.starts_with("keras.")) {
      continue;
    }
    report.add(call.span, "this layer gets fresh weights each time `call` runs")
        .help("make the layer in `__init__` and apply it here")
        .cause(&call);
  }
}

extern const Rule layer_made_in_call{
    .name = "layer-made-in-call",
    .summary = "Finds layers that are created each time a model is called",
    .applies = "keras tf2",
    .type = "model/model-type-and-properties/wrong-model-initialisation",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
