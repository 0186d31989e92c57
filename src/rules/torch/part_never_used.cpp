#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

namespace {

constexpr uint32_t k_matters = program::k_learning | program::k_normalising | program::k_dropping |
                               program::k_activation | program::k_pooling;

// --- Layers whose result goes nowhere. ---

bool is_dead(const Program& program, const Call& call)
{
  const auto* result = as<Tensor>(call.result);
  return result != nullptr && program.consumers(result).empty() && call.discarded;
}

// In another round, or for another object of the class, the same place may be used.
bool is_always_dead(const Program& program, const Call& call)
{
  return std::ranges::all_of(program.calls(), [&](const Call& other) {
    return other.span != call.span || other.layer == nullptr || is_dead(program, other);
  });
}

void check_results(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.layer == nullptr || !call.name.starts_with("torch") || !call.has(k_matters) ||
        call.layer->klass != nullptr || !is_in_module(call) || !is_dead(program, call) ||
        bool_of(call.setting_value("inplace")) == true || !is_always_dead(program, call)) {
      continue;
    }
    report.add(call.span, format("the result of `{}` is never used", program.text(call.callee)))
        .label("the layer has no effect")
        .help("use what it returns in the next layer")
        .severity(Severity::warning)
        .type("model/model-type-and-properties/wrong-network-architecture")
        .cause(&call);
  }
}

// --- Layers that are never applied. ---

bool is_mentioned(const Program& program, const Instance* layer)
{
  return std::ranges::any_of(program.calls(), [layer](const Call& call) {
    const auto holds = [layer](const program::Argument& given) {
      const auto* list = as<program::Sequence>(given.value);
      return given.value == layer ||
             (list != nullptr && std::ranges::find(list->items, layer) != list->items.end());
    };
    const bool is_own = call.name.ends_with(".__init__");
    return (call.self == layer && !is_own) || call.layer == layer ||
           std::ranges::any_of(call.arguments, holds) || std::ranges::any_of(call.surplus, holds);
  });
}

const program::Function* forward_of(const program::Class& klass)
{
  const auto found = klass.attributes.find("forward");
  return found != klass.attributes.end() ? as<program::Function>(found->second) : nullptr;
}

void check_layers(const Program& program, Reporter& report)
{
  for (const program::Store& store : program.stores()) {
    const auto* holder = as<Instance>(store.object);
    const auto* layer = as<Instance>(store.value);
    if (holder == nullptr || layer == nullptr || holder->klass == nullptr || !is_module(holder) ||
        !is_module(layer) || layer->klass != nullptr || !layer->api->has(program::k_learning)) {
      continue;
    }
    const program::Function* forward = forward_of(*holder->klass);
    const auto held = holder->attributes.find(store.name);
    const bool is_kept = held != holder->attributes.end() && held->second == store.value;
    if (forward == nullptr || !forward->ran || !is_kept || is_mentioned(program, layer)) {
      continue;
    }
    report.add(store.span, format("`{}` is never used", program.text(store.span)))
        .label("its weights get no gradient")
        .help("use it in `forward`, or leave it out");
  }
}

void check(const Program& program, Reporter& report)
{
  const bool is_complete = std::ranges::none_of(
      program.gaps(), [](const program::Gap& gap) { return gap.what.starts_with("more than"); });
  if (is_complete) {
    check_results(program, report);
    check_layers(program, report);
  }
}

} // namespace

extern const Rule part_never_used{
    .name = "part-never-used",
    .summary = "Finds layers that forward leaves out or whose result it does not use",
    .applies = "torch",
    .type = "model/model-type-and-properties/suboptimal-network-structure",
    .fix_pattern = "neural-connection",
    .severity = Severity::info,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
