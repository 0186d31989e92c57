#include "rules/facts.hpp"
#include "rules/gradients.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"

#include <algorithm>

namespace faultline::rules {

using Kind = Event::Kind;
using program::as;

namespace {

bool belongs_to(const Call& call, const std::vector<const Instance*>& modules)
{
  return std::ranges::any_of(modules, [&call](const Instance* module) {
    if (is_part_of(call.layer, *module)) {
      return true;
    }
    for (const Context* region = call.context; region != nullptr; region = region->parent) {
      if (const auto* self = as<Instance>(region->self);
          self != nullptr && is_part_of(self, *module)) {
        return true;
      }
    }
    return false;
  });
}

// The layers with weights that a loss was computed with.
std::vector<const Call*> layers_behind(const History& history, Ref loss)
{
  std::vector<const Call*> layers;
  for (const Call* call : history.calls_behind(as<Tensor>(loss))) {
    if (call->layer != nullptr && call->has(program::k_learning)) {
      layers.push_back(call);
    }
  }
  std::ranges::sort(layers, {}, &Call::order);
  return layers;
}

void check_round(const Program& program,
                 Reporter& report,
                 const History& history,
                 const std::vector<Event>& events)
{
  std::vector<const Instance*> modules;
  const Instance* optimizer = nullptr;
  for (const Event& event : events) {
    if (event.kind == Kind::helper) {
      return;
    }
    if (event.kind != Kind::update) {
      continue;
    }
    optimizer = as<Instance>(event.object);
    if (optimizer == nullptr) {
      return;
    }
    const Trained trained = trained_by(program, *optimizer);
    if (!trained.complete || !trained.tensors.empty()) {
      return;
    }
    modules.insert(modules.end(), trained.modules.begin(), trained.modules.end());
  }
  if (optimizer == nullptr) {
    return;
  }
  for (const Event& event : events) {
    if (event.kind != Kind::backward) {
      continue;
    }
    const std::vector<const Call*> layers = layers_behind(history, event.object);
    if (layers.empty() || std::ranges::any_of(layers, [&modules](const Call* layer) {
          return belongs_to(*layer, modules);
        })) {
      return;
    }
    report
        .add(optimizer->made_by->arguments.front().span,
             "the optimizer holds the weights of a different model from the one that is trained")
        .note(event.span, "the gradients computed here belong to other weights")
        .note(layers.back()->span, "such as those of the layer applied here")
        .help("build the optimizer from the parameters of the model in the loop, after the model")
        .cause(optimizer);
  }
}

// model.fc = nn.Linear(…) after the optimizer was given model.parameters().
void check_later_layers(const Program& program, Reporter& report, const Instance& optimizer)
{
  const Trained trained = trained_by(program, optimizer);
  const size_t built = optimizer.made_by->order;
  if (!trained.complete) {
    return;
  }
  for (const program::Store& store : program.stores()) {
    const auto* holder = as<Instance>(store.object);
    auto* layer = as<Instance>(store.value);
    const bool is_new = layer != nullptr && layer->made_by != nullptr && is_module(layer) &&
                        layer->made_by->order > built && has_weights(*layer);
    if (store.order <= built || holder == nullptr || !is_new ||
        !std::ranges::any_of(trained.modules, [holder](const Instance* module) {
          return is_part_of(holder, *module);
        })) {
      continue;
    }
    // Another optimizer, or this one later on, may take care of it.
    const bool is_handed_over = std::ranges::any_of(program.calls(), [&store](const Call& call) {
      return call.order >= store.order &&
             (call.name.ends_with(".parameters") || call.name.ends_with(".add_param_group") ||
              call.name.ends_with(".named_parameters"));
    });
    if (!is_handed_over) {
      report.add(store.span, "this layer is added after the optimizer was built and never trained")
          .note(optimizer.made_by->span, "the optimizer takes the parameters that exist here")
          .help("change the model first, then build the optimizer");
    }
  }
}

void check(const Program& program, Reporter& report)
{
  const History history(program);
  std::vector<const Instance*> stepped;
  for (const TrainingLoop& loop : training_loops(program)) {
    for (const Round& round : loop.rounds) {
      check_round(program, report, history, loop.events_of(round));
    }
    for (const Event& event : loop.events) {
      const auto* optimizer = as<Instance>(event.object);
      if (event.kind == Kind::update && optimizer != nullptr && optimizer->made_by != nullptr &&
          std::ranges::find(stepped, optimizer) == stepped.end()) {
        stepped.push_back(optimizer);
      }
    }
  }
  for (const Instance* optimizer : stepped) {
    check_later_layers(program, report, *optimizer);
  }
}

} // namespace

extern const Rule optimizer_of_other_model{
    .name = "optimizer-of-other-model",
    .summary = "Finds optimizers that do not hold the weights that are trained",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "optimizer",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
