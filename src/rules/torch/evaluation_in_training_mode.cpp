#include "rules/facts.hpp"
#include "rules/gradients.hpp"
#include "rules/modes.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

namespace {

// The operations that an application of a model consists of: from its own call on to the last one
// that its result was made by.
std::vector<const Tensor*> results_of(const Call& application)
{
  std::vector<const Tensor*> results;
  if (const auto* tensor = as<Tensor>(application.result)) {
    results.push_back(tensor);
  } else if (const auto* several = as<program::Sequence>(application.result)) {
    for (const Ref item : several->items) {
      if (const auto* part = as<Tensor>(item)) {
        results.push_back(part);
      }
    }
  }
  return results;
}

bool is_judgement(const Call& call)
{
  constexpr std::string_view k_ops[] = {"argmax", "equal", "not_equal", "topk", "greater"};
  return call.op().starts_with("loss.") || std::ranges::find(k_ops, call.op()) != std::end(k_ops);
}

// What comes out is compared with something: it is an evaluation, not a sample or a feature.
bool is_judged(const Program& program, const History& history, const Call& application)
{
  const std::vector<const Tensor*> results = results_of(application);
  const Context* function = function_around(application.context);
  for (size_t i = application.order + 1; i < program.calls().size(); ++i) {
    const Call& call = program.calls()[i];
    if (function != nullptr && !is_inside(call.context, function)) {
      break;
    }
    if (!is_judgement(call)) {
      continue;
    }
    for (const Tensor* input : call.inputs()) {
      const auto behind = history.calls_behind(input);
      if (std::ranges::any_of(results, [&](const Tensor* result) {
            return result == input || behind.contains(result->producer);
          })) {
        return true;
      }
    }
  }
  return false;
}

void check(const Program& program, Reporter& report)
{
  const History history(program);
  const auto trained = trained_calls(program, history);
  const Modes modes(program);
  std::optional<size_t> first_update;
  for (const Event& event : training_events(program, 0, program.calls().size())) {
    if (event.kind == Event::Kind::update && !first_update) {
      first_update = event.order;
    }
  }
  for (const Call* application : model_applications(program)) {
    const Instance* part = mode_dependent_part(*application->layer);
    if (!first_update || application->order < *first_update || part == nullptr ||
        part->made_by == nullptr ||
        !(gradient_off(*application) || is_evaluation(program, application->context)) ||
        modes.at(*application->layer, *application).may_evaluate) {
      continue;
    }
    const bool is_trained =
        std::ranges::any_of(results_of(*application), [&trained](const Tensor* result) {
          return trained.contains(result->producer);
        });
    if (is_trained || !is_judged(program, history, *application)) {
      continue;
    }
    report.add(application->span, "the model is evaluated in training mode")
        .label("no `eval()` before")
        .note(part->made_by->span,
              format("`{}` behaves differently in training", program.text(part->made_by->callee)))
        .help("call `eval()` of the model before the evaluation and `train()` after it");
  }
}

} // namespace

extern const Rule evaluation_in_training_mode{
    .name = "evaluation-in-training-mode",
    .summary = "Finds evaluations of models with dropout or batch normalisation without eval()",
    .applies = "torch",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
