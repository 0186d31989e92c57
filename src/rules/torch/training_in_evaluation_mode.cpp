#include "rules/facts.hpp"
#include "rules/gradients.hpp"
#include "rules/modes.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

// A loop around `inner` goes round `outer`, too, if perhaps in another round.
static bool share_loop(const Context* one, const Context* other)
{
  for (const Context* a = one; a != nullptr; a = a->parent) {
    for (const Context* b = other; b != nullptr && a->kind == Context::Kind::loop; b = b->parent) {
      if (b->kind == Context::Kind::loop && a->syntax == b->syntax) {
        return true;
      }
    }
  }
  return false;
}

// Both sides of one `if` choose a mode: which one holds is decided there.
static bool is_chosen(const Program& program, const Call& eval, const Call& application)
{
  const Context* branch = eval.within(Context::Kind::branch);
  if (branch == nullptr || is_inside(application.context, branch)) {
    return false;
  }
  return std::ranges::any_of(program.calls(), [&](const Call& call) {
    const Context* other = call.within(Context::Kind::branch);
    return call.is("train_mode") && other != nullptr && other->syntax == branch->syntax &&
           other->iteration != branch->iteration;
  });
}

static void check(const Program& program, Reporter& report)
{
  const History history(program);
  const auto trained = trained_calls(program, history);
  const Modes modes(program);
  for (const Call* application : model_applications(program)) {
    const auto* result = as<Tensor>(application->result);
    const Instance* part = mode_dependent_part(*application->layer);
    if (result == nullptr || part == nullptr || part->made_by == nullptr ||
        !trained.contains(result->producer)) {
      continue;
    }
    const Mode mode = modes.at(*application->layer, *application);
    if (mode.eval == nullptr || !share_loop(mode.eval->context, application->context) ||
        is_chosen(program, *mode.eval, *application)) {
      continue;
    }
    report.add(mode.eval->span, "the model stays in evaluation mode for the training that follows")
        .note(application->span, "trained here in the next round")
        .note(part->made_by->span,
              format("`{}` behaves differently in training", program.text(part->made_by->callee)))
        .help("call `train()` of the model before each epoch of training");
  }
}

extern const Rule training_in_evaluation_mode{
    .name = "training-in-evaluation-mode",
    .summary = "Finds models that are left in evaluation mode when training continues",
    .applies = "torch",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
