#include "base/format.hpp"
#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (!number_of(setting)) {
    return;
  }
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (!makes_optimizer(call) || call.last().find("dam") == std::string_view::npos ||
        call.has_stars) {
      continue;
    }
    const std::string keyword = makes_torch_optimizer(call) ? "eps" : "epsilon";
    const Argument* given = call.find(keyword);
    if (given == nullptr) {
      const std::string added = format("{}={}", keyword, setting);
      found.push_back(mutation({add_argument(call, added)}, call.node.text(), added));
    } else if (number_of(given->value) != number_of(setting)) {
      rewrite(given->value, std::string(setting), given->whole, found);
    }
  }
}

extern const Operator adam_epsilon;
const Operator adam_epsilon{
    .name = "change-adam-epsilon",
    .acronym = "",
    .summary = "Changes Adam's epsilon",
    .type = "training/optimiser/epsilon-for-adam-optimiser-too-low",
    .level = Level::dl,
    .setting = {.name = "epsilon",
                .values = {"1e-12", "1e-16", "0.1"},
                .search = Search::exhaustive,
                .range = k_above_zero},
    .find = find,
};

} // namespace faultline::inject
