#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const program::Store& store : program.stores()) {
    const auto* object = program::as<Instance>(store.object);
    if (store.name != "trainable" || object == nullptr) {
      continue;
    }
    // Compiled before, trained after, and not compiled in between.
    const Call* compiled = nullptr;
    for (const Call& call : program.calls()) {
      if (call.order < store.order && call.is("compile")) {
        compiled = &call;
      }
      if (call.order < store.order || compiled == nullptr || call.self != compiled->self) {
        continue;
      }
      if (call.is("compile")) {
        break;
      }
      const auto* model = program::as<Instance>(call.self);
      if (call.is("fit") && model != nullptr && holds(*model, object)) {
        report.add(store.span, "`trainable` is changed after `compile`, so it has no effect")
            .note(compiled->span, "compiled here")
            .note(call.span, "trained here")
            .help("change `trainable` first, then compile")
            .cause(&store);
        break;
      }
    }
  }
}

extern const Rule frozen_after_compile{
    .name = "frozen-after-compile",
    .summary = "Finds layers that are frozen or unfrozen after the model was compiled",
    .applies = "keras tf2",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
