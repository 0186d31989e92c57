#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static bool made_here(const Instance& model)
{
  return model.made_by != nullptr && model.klass == nullptr &&
         (model.made_by->name == "keras.Sequential" || model.made_by->name == "keras.Model" ||
          model.made_by->name == "keras.models.Sequential" ||
          model.made_by->name == "keras.models.Model");
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const auto* model = program::as<Instance>(call.self);
    if (model == nullptr || !made_here(*model)) {
      continue;
    }
    if (call.is("fit") || call.is("train_on_batch")) {
      bool compiled = false;
      for (const Call& earlier : program.calls()) {
        compiled = compiled || (earlier.is("compile") && earlier.self == call.self &&
                                earlier.order < call.order);
      }
      // Some function that was not followed may have compiled it.
      const bool escaped = call.speculative || escapes(program, *model, call.order);
      if (!compiled && !escaped) {
        report.add(call.callee, "the model is trained before it is compiled")
            .note(model->made_by->span, "made here")
            .help("call `compile` with an optimizer and a loss first")
            .cause(&call);
      }
    }
    if (call.is("compile") && call.surplus.empty()) {
      const program::Argument* loss = call.argument("loss");
      const bool missing =
          loss == nullptr || (!loss->given && program::as<program::None>(loss->value) != nullptr);
      if (missing && !uses_added_loss(program)) {
        report.add(call.callee, "the model is compiled without a loss")
            .help("name a loss: `loss='mse'`")
            .cause(&call);
      }
    }
  }
}

extern const Rule fit_before_compile{
    .name = "fit-before-compile",
    .summary = "Finds models that are trained before they are compiled, or compiled without a loss",
    .applies = "keras",
    .type = "training/loss-function/missing-loss-function",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
