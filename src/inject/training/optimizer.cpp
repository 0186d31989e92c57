#include "base/format.hpp"
#include "inject/training.hpp"

#include <algorithm>
#include <array>

namespace faultline::inject {

// Setting, class in torch.optim, class in keras.optimizers.
static constexpr auto k_optimizers = std::to_array<std::array<std::string_view, 3>>({
    {"adam", "Adam", "Adam"},
    {"nadam", "NAdam", "Nadam"},
    {"adamax", "Adamax", "Adamax"},
    {"rmsprop", "RMSprop", "RMSprop"},
    {"adagrad", "Adagrad", "Adagrad"},
    {"sgd", "SGD", "SGD"},
});

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const auto other =
      std::ranges::find_if(k_optimizers, [&](const auto& row) { return row[0] == setting; });
  if (other == k_optimizers.end()) {
    return;
  }
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const Argument* named = is_compile(code, call) ? call.find("optimizer", 0) : nullptr;
    const std::optional<std::string> now =
        named != nullptr ? string_of(named->value) : std::nullopt;
    if (now && now != setting) {
      found.push_back(mutation(
          {replace(named->value, format("\"{}\"", setting))}, named->whole.text(), setting));
    }
    const bool is_torch = makes_torch_optimizer(call);
    const std::string_view type = (*other)[is_torch ? 1 : 2];
    if (!makes_optimizer(call) || call.last() == type || call.has_stars) {
      continue;
    }
    const Argument* parameters = is_torch ? call.find("params", 0) : nullptr;
    const Argument* rate = call.find("lr", is_torch ? 1 : 0);
    rate = rate == nullptr ? call.find("learning_rate") : rate;
    if (is_torch && parameters == nullptr) {
      continue;
    }
    std::string arguments = is_torch ? std::string(parameters->value.text()) : std::string();
    if (rate != nullptr || is_torch) {
      arguments += format("{}{}={}",
                          arguments.empty() ? "" : ", ",
                          is_torch ? "lr" : "learning_rate",
                          rate != nullptr ? rate->value.text() : std::string_view("0.001"));
    }
    const std::string name =
        code.spelled((is_torch ? "torch.optim." : "keras.optimizers.") + std::string(type));
    found.push_back(
        mutation({replace(call.node, format("{}({})", name, arguments))}, call.node.text(), name));
  }
}

extern const Operator optimizer;
const Operator optimizer{
    .name = "change-optimizer",
    .acronym = "OCH",
    .summary = "Uses a different optimizer",
    .type = "training/optimiser/wrong-optimisation-function",
    .level = Level::dl,
    .setting = {.name = "optimizer",
                .values = {"adam", "nadam", "adamax", "rmsprop", "adagrad", "sgd"},
                .search = Search::exhaustive},
    .find = find,
};

} // namespace faultline::inject
