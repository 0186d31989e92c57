#include "rules/modes.hpp"

#include "program/names/api.hpp"
#include "rules/modules.hpp"
#include "rules/training.hpp"

#include <algorithm>
#include <unordered_set>

namespace faultline::rules {

using program::as;

static std::optional<bool> known_truth(Ref value)
{
  const auto* constant = as<program::Constant>(value);
  const bool* held = constant != nullptr ? std::get_if<bool>(&constant->value) : nullptr;
  return held != nullptr ? std::optional(*held) : std::nullopt;
}

Modes::Modes(const Program& program)
{
  for (const Call& call : program.calls()) {
    const auto* module = as<Instance>(call.self);
    if (module == nullptr || !(call.is("train_mode") || call.is("eval_mode"))) {
      continue;
    }
    Change change{.call = &call, .module = module, .trains = call.is("train_mode")};
    change.evaluates = !change.trains;
    if (const program::Argument* mode = call.given("mode"); mode != nullptr && change.trains) {
      const std::optional<bool> trains = known_truth(mode->value);
      change.trains = trains.value_or(true);
      change.evaluates = !trains.value_or(false);
    }
    m_changes.push_back(change);
  }
}

Mode Modes::at(const Instance& module, const Call& call) const
{
  Mode mode;
  for (const Change& change : m_changes) {
    if (change.call->order >= call.order) {
      break;
    }
    if (!is_part_of(&module, *change.module)) {
      continue;
    }
    const bool maybe = is_optional(change.call->context, call.context);
    mode.may_train = change.trains || (maybe && mode.may_train);
    mode.may_evaluate = change.evaluates || (maybe && mode.may_evaluate);
    if (change.evaluates) {
      mode.eval = change.call;
    } else if (!maybe) {
      mode.eval = nullptr;
    }
  }
  return mode;
}

std::vector<const Call*> model_applications(const Program& program)
{
  std::unordered_set<const Instance*> models;
  for (const Event& event : training_events(program, 0, program.calls().size())) {
    const auto* optimizer = as<Instance>(event.object);
    if (event.kind == Event::Kind::update && optimizer != nullptr) {
      for (const Instance* module : trained_by(program, *optimizer).modules) {
        models.insert(module);
      }
    }
  }
  std::vector<const Call*> applications;
  for (const Call& call : program.calls()) {
    if (call.layer == nullptr || !is_module(call.layer)) {
      continue;
    }
    const bool is_model = std::ranges::any_of(models, [&call](const Instance* model) {
      return model == call.layer ||
             (call.layer->api->has(program::k_wraps) && is_part_of(model, *call.layer));
    });
    if (is_model) {
      applications.push_back(&call);
    }
  }
  return applications;
}

} // namespace faultline::rules
