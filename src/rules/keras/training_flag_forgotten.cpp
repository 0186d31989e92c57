#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

static bool inside_tape(const Call& call)
{
  for (const program::Context* region = call.context; region != nullptr; region = region->parent) {
    if (region->kind != program::Context::Kind::with) {
      continue;
    }
    const auto* manager = program::as<Instance>(region->subject);
    if (manager != nullptr && manager->api != nullptr &&
        manager->api->name.ends_with("GradientTape")) {
      return true;
    }
  }
  return false;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.layer == nullptr || call.api == nullptr || call.api->role != program::Role::model ||
        !call.api->name.starts_with("keras.") || !inside_tape(call)) {
      continue;
    }
    const bool told = std::ranges::any_of(call.arguments, [](const program::Argument& argument) {
      return argument.name == "training";
    });
    const Instance* dependent = mode_dependent_layer(*call.layer);
    if (told || dependent == nullptr) {
      continue;
    }
    Draft& draft =
        report
            .add(call.span,
                 "the model runs in inference mode: `training=True` is missing in a training step")
            .help("pass `training=True`")
            .cause(&call);
    if (dependent->made_by != nullptr) {
      draft.note(dependent->made_by->span, "this layer behaves differently when training");
    }
  }
}

extern const Rule training_flag_forgotten{
    .name = "training-flag-forgotten",
    .summary = "Finds custom training steps that run dropout or batch norm in inference mode",
    .applies = "keras tf2",
    .type = "api/missing-argument-scoping",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
