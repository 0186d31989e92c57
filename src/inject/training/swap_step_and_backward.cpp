#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& backward : code.calls()) {
    const bool is_backward = backward.last() == "backward" && backward.callee.kind() == "attribute";
    const std::optional<Node> first = is_backward ? own_statement(backward) : std::nullopt;
    if (!first) {
      continue;
    }
    for (const Call& step : code.calls()) {
      const std::optional<Node> second =
          is_optimizer_call(step, "step") ? own_statement(step) : std::nullopt;
      if (second && second->parent() == first->parent() &&
          second->begin_byte() > first->begin_byte()) {
        found.push_back(mutation({replace(*first, std::string(second->text())),
                                  replace(*second, std::string(first->text()))},
                                 first->text(),
                                 second->text()));
        break;
      }
    }
  }
}

extern const Operator swap_step_and_backward;
const Operator swap_step_and_backward{
    .name = "swap-step-and-backward",
    .acronym = "",
    .summary = "Updates the weights before the gradients are computed",
    .type = "training/training-process/wrongly-implemented-back-propagation",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
