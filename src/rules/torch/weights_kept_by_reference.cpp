#include "rules/facts.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

namespace {

bool may_be(Ref value, Ref wanted)
{
  if (value == wanted) {
    return true;
  }
  const auto* choice = as<program::Choice>(value);
  return choice != nullptr && std::ranges::find(choice->options, wanted) != choice->options.end();
}

// A loop around the call in which some optimizer makes a step: what is kept goes on changing.
bool is_in_training_loop(const Program& program, const Call& call)
{
  return std::ranges::any_of(training_loops(program), [&call](const TrainingLoop& loop) {
    return has(loop.events, Event::Kind::update) && is_inside(call.context, loop.loop->context);
  });
}

void check(const Program& program, Reporter& report)
{
  for (const Call& kept : program.calls()) {
    if (kept.name != "torch.nn.Module.state_dict" || kept.result == nullptr ||
        !is_in_training_loop(program, kept)) {
      continue;
    }
    for (const Call& load : program.calls()) {
      const bool loads = load.name == "torch.nn.Module.load_state_dict" && load.self == kept.self &&
                         load.order > kept.order;
      const program::Argument* what = loads ? load.argument("state_dict") : nullptr;
      // Right behind each other nothing has changed: weights that go from one place to another.
      if (what == nullptr || !may_be(what->value, kept.result) ||
          is_inside(load.context, kept.context)) {
        continue;
      }
      report.add(kept.span, "the weights are kept by reference: training goes on changing them")
          .label("no copy")
          .note(load.span, "this loads the weights that the model has anyway")
          .help("copy them: `copy.deepcopy(model.state_dict())`, or save them to a file")
          .replace(kept.span, format("copy.deepcopy({})", program.text(kept.span)))
          .unsafe("copy the weights; needs `import copy`");
      break;
    }
  }
}

} // namespace

extern const Rule weights_kept_by_reference{
    .name = "weights-kept-by-reference",
    .summary = "Finds best weights that are kept without a copy and change with the model",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
